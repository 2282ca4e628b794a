// Recorded installations: what a version has left in its data folder and database, on each engine, and
// what was in it. The folder of the recordings has a README.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../engine.ts';

export const recordings = join(import.meta.dirname, '../../upgrade');

/** The files of a recording. */
export const files = {
  manifest: 'manifest.json',
  data: 'data.tar.gz',
  dump: 'database.pgdump',
} as const;

export interface RecordedTask {
  id: number;
  status: string;
  /** SHA-256 of its log, as it is downloaded. */
  log: string;
}

export interface Recorded {
  /** What `signalbox version` said, and the commit of the checkout. */
  version: string;
  commit: string;
  engine: Engine;
  /** The newest migration. */
  form: string;
  /** The path that the data folder had. */
  dataDir: string;
  password: string;
  token: string;
  project: number;
  demo: number;
  /** How many there are of each noun, by the path of its list. */
  counts: Record<string, number>;
  tasks: RecordedTask[];
  /** Ids by the names that `fill.ts` gives them. */
  ids: Record<string, number>;
  /** The address of the integration below that of the server. */
  hook: string;
}

/** The names of all recordings, the oldest first. */
export const recordingNames = (): string[] =>
  existsSync(recordings)
    ? readdirSync(recordings, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted()
    : [];

export const readRecorded = (name: string, engine: Engine): Recorded =>
  JSON.parse(readFileSync(join(recordings, name, engine, files.manifest), 'utf8')) as Recorded;
