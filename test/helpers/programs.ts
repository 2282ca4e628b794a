// The programs that the tasks of tests run.

import { fileURLToPath } from 'node:url';

const before = (name: string): string =>
  `${fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))}:${process.env['PATH']}`;

/** A PATH with a stand-in for Ansible, whose playbooks are shell scripts. */
export const fakePrograms = before('bin');

/** A PATH with the real Ansible, of which only the question about its version is answered by a stand-in. */
export const realPrograms = before('version');
