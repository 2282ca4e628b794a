// Finds barriers on a screen with axe, which is loaded into each document only once. The driver of axe
// would load it again and open another page for each call.

import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Violation {
  id: string;
  impact: 'minor' | 'moderate' | 'serious' | 'critical';
  nodes: { html: string }[];
}

interface Axe {
  run: (context: Document, options: object) => Promise<{ violations: Violation[] }>;
}

const { source } = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core') as {
  source: string;
};

// These rules find barriers of minor or moderate impact only, which fail no test.
const lesser = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-heading',
  'empty-table-header',
  'form-field-multiple-labels',
  'heading-order',
  'html-xml-lang-mismatch',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'meta-viewport',
  'meta-viewport-large',
  'no-autoplay-audio',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'server-side-image-map',
  'skip-link',
  'table-duplicate-name',
];

const rules = Object.fromEntries(lesser.map((id) => [id, { enabled: false }]));

/** The serious barriers, each with the elements that have it. */
export async function findBarriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const found = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations } = await axe.run(document, options);
      return violations.map(({ id, impact, nodes }) => ({
        impact,
        text: `${id}: ${nodes.map(({ html }) => html).join('\n')}`,
      }));
    },
    { resultTypes: ['violations'], rules },
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ text }) => text);
}
