// The pinned keys of ssh hosts, for a run that has a user of its own and gets a copy of them.

import { lchown, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerConfig } from '../system/config.ts';
import { addHostKeys } from '../system/known-hosts.ts';
import type { RunUser } from '../system/run-as.ts';
import { writeAnew, type Workspace } from './workspace.ts';

/** The pinned keys for a user that cannot get at those of the project. */
export async function copyPins(pins: string, { dir }: Workspace, user: RunUser): Promise<string> {
  const path = join(dir, pinsFile);
  const known = await readFile(pins, 'utf8').catch(() => '');
  await writeAnew(join(dir, givenFile), known, 0o600);
  await writeAnew(path, known, 0o600);
  await lchown(path, user.uid, user.gid);
  return path;
}

const pinsFile = 'known-hosts';
const givenFile = 'known-hosts.given';

/**
 * Keeps for the project which keys ssh has pinned in such a copy. Those that the run was given, or
 * that were kept before, are not new: somebody may have told the project to forget them meanwhile.
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
