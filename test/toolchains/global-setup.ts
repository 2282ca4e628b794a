import { buildToolchains } from './programs.ts';

/** Builds the programs once, before the tests of `npm run test:toolchains` begin. */
export function setup(): void {
  buildToolchains();
}
