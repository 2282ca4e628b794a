// The folder of the data folder for data of deleted or unknown owners that exist only there, such as states of Terraform.
// A runner neither uses nor removes them: an administrator decides.

import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DataDirConfig } from '../fs/data-dir-config.ts';
import { readSmallFile } from '../fs/small-file.ts';

const asideOf = ({ dataDir }: DataDirConfig): string => join(dataDir, 'set-aside');

export interface AsideNote {
  /** Also the name of its folder in the data folder. */
  kind: string;
  /** The origin, such as `project-3-template-9`. */
  label: string;
  why: string;
}

/** Creates a new folder for data to set aside, with a note. */
export async function createAsideFolder(config: DataDirConfig, note: AsideNote): Promise<string> {
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
    const installation = await installationOf(config);
    const noted = JSON.stringify({ ...note, time, installation });
    await writeFile(join(folder, 'note.json'), noted, { mode: 0o600 });
    return folder;
  }
}

/** Returns the new path of the file or folder. */
export async function setAside(
  config: DataDirConfig,
  path: string,
  note: AsideNote,
): Promise<string> {
  const moved = join(await createAsideFolder(config, note), basename(path));
  await rename(path, moved);
  return moved;
}

/** The installation of this runner; null: the server's version has none. */
async function installationOf({ dataDir }: DataDirConfig): Promise<string | null> {
  const text = await readFile(join(dataDir, 'installation'), 'utf8').catch(() => '');
  return text.trim() || null;
}

export interface Aside {
  name: string;
  folder: string;
  label: string;
  time: string;
  /** Null: not recorded. */
  installation: string | null;
}

/** Newest first, without folders that have no valid note. */
export async function listAside(config: DataDirConfig, kind: string): Promise<Aside[]> {
  const parent = join(asideOf(config), kind);
  const names = await readdir(parent).catch(() => []);
  const all = names.flatMap((name): Aside[] => {
    const folder = join(parent, name);
    const note = readNote(folder);
    return note ? [{ name, folder, ...note }] : [];
  });
  return all.sort((one, other) => other.time.localeCompare(one.time));
}

export interface AsideCount {
  count: number;
  /** When the newest was set aside; null: none. */
  newest: string | null;
  folder: string;
}

/** What was set aside and neither adopted nor deleted since. */
export async function countAside(config: DataDirConfig): Promise<AsideCount> {
  const kinds = await readdir(asideOf(config)).catch(() => []);
  const all = (await Promise.all(kinds.map((kind) => listAside(config, kind)))).flat();
  const newest = all.map(({ time }) => time).sort();
  return { count: all.length, newest: newest.at(-1) ?? null, folder: asideOf(config) };
}

const recountMs = 60_000;

/** Returns the last count, null before the first one; counts again at most once a minute. */
export function cachedAsideCount(config: DataDirConfig): () => AsideCount | null {
  let counted: AsideCount | null = null;
  let next = 0;
  const count = async (): Promise<void> => {
    counted = await countAside(config);
  };
  return () => {
    if (performance.now() >= next) {
      next = performance.now() + recountMs;
      count().catch(() => undefined);
    }
    return counted;
  };
}

function readNote(folder: string): Pick<Aside, 'label' | 'time' | 'installation'> | null {
  try {
    const text = readSmallFile(join(folder, 'note.json'));
    const note = JSON.parse(text ?? 'null') as Partial<Aside> | null;
    if (typeof note?.label !== 'string' || typeof note.time !== 'string') return null;
    return { label: note.label, time: note.time, installation: note.installation ?? null };
  } catch {
    return null;
  }
}
