// The drill of failing databases on each engine.

import { join } from 'node:path';
import { runDatabaseDrill } from './database-drill.ts';
import { postgresFaults, sqliteFaults } from './database-faults.ts';
import { failingDisk } from './failing-disk.ts';
import { faultyPostgres } from './faulty-postgres.ts';
import { randomNumber } from './random.ts';

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
      env: {},
      directUrl: () => url,
      faults: () => postgresFaults(randomNumber(seed), line, url),
      most,
      tell,
    });
  } finally {
    line.close();
  }
}

/**
 * One server with its own database. `onlyBusy`: the database is only held by another program, since a disk
 * that fails needs gcc.
 */
export async function drillSqlite({ seed, most, tell }: DrillOptions, onlyBusy: boolean) {
  const disk = onlyBusy ? null : await failingDisk();
  try {
    const result = await runDatabaseDrill({
      faultyUrl: null,
      directUrl: (dataDir) => `sqlite:${join(dataDir, 'signalbox.db')}`,
      env: disk?.env ?? {},
      faults: (dataDir) => sqliteFaults(randomNumber(seed), dataDir, disk),
      most,
      tell,
    });
    for (const [access, count] of disk?.failed ?? []) tell(`${access}: ${count} have failed`);
    return result;
  } finally {
    await disk?.remove();
  }
}
