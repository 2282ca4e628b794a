// The folder of the data folder for what exists only there and has no place any more, such as states of
// Terraform. Nothing in it is used or removed by a runner: an administrator decides what becomes of it.

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RunnerConfig } from '../system/config.ts';

type Place = Pick<RunnerConfig, 'dataDir'>;

const asideOf = ({ dataDir }: Place): string => join(dataDir, 'set-aside');

export interface AsideNote {
  /** The kind, which is the name of its folder in the data folder. */
  kind: string;
  /** Tells where it came from, such as `project-3-template-9`. */
  label: string;
  why: string;
}

/** Makes a folder of its own for what is set aside, with a note that says why. */
export async function makeAside(config: Place, note: AsideNote): Promise<string> {
  const time = new Date().toISOString();
  const stamp = time.replace(/[:.]/g, '-');
  const parent = join(asideOf(config), note.kind);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (let count = 1; ; count += 1) {
    const folder = join(parent, [note.label, stamp, ...(count > 1 ? [count] : [])].join('-'));
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      continue;
    }
    await writeFile(join(folder, 'note.json'), JSON.stringify({ ...note, time }), { mode: 0o600 });
    return folder;
  }
}

/** Moves a file or a folder aside; answers its new path. */
export async function moveAside(config: Place, path: string, note: AsideNote): Promise<string> {
  const moved = join(await makeAside(config, note), basename(path));
  await rename(path, moved);
  return moved;
}
