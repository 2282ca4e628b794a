// Who may import whom outside the server: in the contract and in the console.

import { refusal } from './server-rules.ts';
import { type Rule, product } from './source.ts';

export const sharedImportsZodOnly: Rule = (files) =>
  product(files)
    .filter((file) => file.path.startsWith('src/shared/'))
    .flatMap((file) =>
      file.imports
        .filter(({ target, isFile }) =>
          isFile ? !target.startsWith('src/shared/') : target !== 'zod',
        )
        .map(({ target }) => refusal(file, target, 'src/shared imports zod and itself only')),
    );

interface Place {
  zone: string;
  /** Set in features only. */
  feature: string;
  path: string;
}

function placeOf(path: string): Place | null {
  const [src, web, zone = '', feature = ''] = path.split('/');
  return src === 'src' && web === 'web' ? { zone, feature, path } : null;
}

const zonesOpenTo: Record<string, string[]> = {
  features: ['lib', 'ui', 'styles', 'locales'],
  ui: ['ui', 'styles'],
  lib: ['lib', 'locales', 'styles'],
  styles: ['styles'],
  locales: ['locales'],
};

function reasonAgainst(from: Place, to: Place): string | null {
  // The mounting file and app/ connect all other parts.
  const open = zonesOpenTo[from.zone];
  if (open === undefined || open.includes(to.zone)) return null;
  if (from.zone === 'features' && to.zone === 'features') {
    if (to.feature === from.feature || /\.queries\.tsx?$/.test(to.path)) return null;
    return 'from another feature only its queries are imported; pages meet in app/';
  }
  if (from.zone === 'ui' && /^src\/web\/lib\/i18n\.tsx?$/.test(to.path)) return null;
  if (from.zone === 'ui')
    return 'ui/ knows no domain: of lib/ only i18n, nothing else of the console';
  return `${from.zone}/ does not know ${to.zone}`;
}

export const webLayers: Rule = (files) =>
  product(files).flatMap((file) => {
    const from = placeOf(file.path);
    if (!from) return [];
    return file.imports.flatMap(({ target, isFile }) => {
      const to = placeOf(target);
      const reason = isFile && to ? reasonAgainst(from, to) : null;
      return reason === null ? [] : [refusal(file, target, reason)];
    });
  });

export const uiKnowsNoContract: Rule = (files) =>
  product(files)
    .filter((file) => file.path.startsWith('src/web/ui/'))
    .flatMap((file) =>
      file.imports
        .filter(({ target }) => target.startsWith('src/shared/'))
        .map(({ target }) => refusal(file, target, 'ui/ knows no domain, so no contract either')),
    );

export const webStaysOnItsSide: Rule = (files) =>
  product(files)
    .filter((file) => file.path.startsWith('src/web/'))
    .flatMap((file) =>
      file.imports
        .filter(({ target, isFile }) =>
          isFile ? !/^src\/(web|shared)\//.test(target) : target.startsWith('node:'),
        )
        .map(({ target }) =>
          refusal(file, target, 'the console imports only itself and the contract in src/shared'),
        ),
    );
