import { installAnsibles } from './ansible/versions.ts';
import { buildToolchains } from './programs.ts';

/** Builds and installs the programs once, before the tests of `npm run test:toolchains` begin. */
export function setup(): void {
  buildToolchains();
  installAnsibles();
}
