// The drill of failing databases on each engine.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDatabaseDrill } from './database-drill.ts';
import { postgresFaults, sqliteFaults } from './database-faults.ts';
import { faultyPostgres } from './faulty-postgres.ts';
import { randomNumber } from './random.ts';
import { asRoot } from './unix-user.ts';

interface DrillOptions {
  seed: number;
  most: { tasks: number; runs: number; faults: number };
  tell: (text: string) => void;
}

/** Two servers on an empty database. */
export async function drillPostgres(url: string, { seed, most, tell }: DrillOptions) {
  const line = await faultyPostgres(Number(new URL(url).port));
  const faultyUrl = new URL(url);
  faultyUrl.port = String(line.port);
  try {
    return await runDatabaseDrill({
      faultyUrl: faultyUrl.href,
      directUrl: () => url,
      faults: () => postgresFaults(randomNumber(seed), line, url),
      most,
      tell,
    });
  } finally {
    line.close();
  }
}

const diskMegabytes = 256;

/** One server with its own database, all of it on a small disk in memory. */
export async function drillSqlite({ seed, most, tell }: DrillOptions, withFull: boolean) {
  const disk = await mkdtemp(join(tmpdir(), 'signalbox-drill-disk-'));
  const size = `size=${diskMegabytes}m,mode=700,uid=${process.getuid?.() ?? 0}`;
  asRoot('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', disk]);
  const usual = process.env['TMPDIR'];
  process.env['TMPDIR'] = disk;
  try {
    return await runDatabaseDrill({
      faultyUrl: null,
      directUrl: (dataDir) => `sqlite:${join(dataDir, 'signalbox.db')}`,
      faults: (dataDir) => sqliteFaults(randomNumber(seed), dataDir, withFull),
      most,
      tell,
    });
  } finally {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
    asRoot('umount', ['--lazy', disk]);
    await rm(disk, { recursive: true, force: true });
  }
}
