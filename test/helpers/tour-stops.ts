// What a stop of the tour is, and the parts from which stops are made.

import type { Locator, Page } from 'playwright-core';
import type { Example } from './example/example.ts';
import type { Say } from './speak.ts';

export interface Stop {
  /** The name of its pictures. */
  name: string;
  path: (example: Example) => string;
  /** Who sees the stop; by default everybody in the project. */
  for?: 'resources' | 'owner' | 'admin' | 'visitor';
  /** Opens a dialog or part that has no address. */
  act?: (page: Page, say: Say) => Promise<void>;
  /** What appears then, unless it is a dialog. */
  opens?: (page: Page) => Locator;
}

export const press = (key: string, params?: Parameters<Say>[1]) => async (page: Page, say: Say) => {
  await page
    .getByRole('button', { name: say(key, params), exact: true })
    .first()
    .click();
};

export const menu = (page: Page): Locator => page.getByRole('menu');

export const inProject =
  (rest: (example: Example) => string) =>
  (example: Example): string =>
    `/project/${example.projectId}/${rest(example)}`;
export const at = (rest: string) => inProject(() => rest);
