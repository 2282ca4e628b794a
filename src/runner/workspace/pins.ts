// Copies the pinned host keys for a run with a user of its own, and stores new ones afterwards.

import { lchown, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerConfig } from '../config/runner-config.ts';
import { addHostKeys } from '../../node/data-folder/known-hosts.ts';
import { writeAnew, type Workspace } from './workspace.ts';

/** Copies the pinned keys for programs that cannot read the project's file; returns the copy's path. */
export async function copyPins(pins: string, { dir, user }: Workspace): Promise<string> {
  const path = join(dir, pinsFile);
  const known = await readFile(pins, 'utf8').catch(() => '');
  await writeAnew(join(dir, givenFile), known, 0o600);
  await writeAnew(path, known, 0o600);
  if (user) await lchown(path, user.uid, user.gid);
  return path;
}

const pinsFile = 'known-hosts';
const givenFile = 'known-hosts.given';

/**
 * Adds the keys that ssh has pinned in such a copy to the project's file, but none that the run got at its start or
 * that was added before: it may have been removed from the project meanwhile.
 */
export async function keepPins(
  config: RunnerConfig,
  projectId: number,
  dir: string,
): Promise<void> {
  const read = (name: string) => readFile(join(dir, name), 'utf8').catch(() => '');
  const [text, given] = await Promise.all([read(pinsFile), read(givenFile)]);
  const known = new Set(given.split('\n'));
  const added = text.split('\n').filter((line) => !known.has(line));
  if (added.length === 0) return;
  addHostKeys(config, projectId, added.join('\n'));
  await writeAnew(join(dir, givenFile), text, 0o600);
}
