// The faults of a drill of databases: each makes the database fail for a moment, and settles when it
// works again.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { accesses, type Access, type FailingDisk } from './failing-disk.ts';
import type { FaultyPostgres } from './faulty-postgres.ts';

export interface Fault {
  name: string;
  strike: () => Promise<void>;
}

/** A read-only standby, timeouts, locks, conflicts, too little memory, a full or broken disk, an unknown one. */
const codes = ['25006', '57014', '55P03', '40001', '40P01', '53200', '53100', '58030', 'XX000'];

const pick = <T>(random: () => number, all: readonly T[]): T => {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error('There is nothing to choose from.');
  return one;
};

/** Faults of PostgreSQL without an end; the same numbers give the same ones. `direct` is its own address. */
export function* postgresFaults(
  random: () => number,
  line: FaultyPostgres,
  direct: string,
): Generator<Fault> {
  const armed = (name: string, fault: Parameters<FaultyPostgres['arm']>[0]): Fault => {
    const after = Math.floor(random() * 20);
    return {
      name,
      async strike() {
        line.arm(fault, after);
        await delay(150);
      },
    };
  };
  for (;;) {
    const chance = random();
    const ms = 300 + Math.floor(random() * 1500);
    if (chance < 0.55) {
      const code = pick(random, codes);
      yield armed(`error ${code}`, { kind: 'refuse', code });
    } else if (chance < 0.7) yield armed('cut', { kind: 'cut' });
    else if (chance < 0.8) yield armed('answer lost', { kind: 'cut_after' });
    else if (chance < 0.9) yield armed('delay', { kind: 'delay', ms });
    else if (chance < 0.94) yield { name: 'read-only', strike: () => readOnly(direct, ms) };
    else if (chance < 0.97) yield { name: 'locked', strike: () => locked(direct, ms) };
    else yield { name: 'failover', strike: () => failOver(line, direct, ms) };
  }
}

async function withClient(url: string, use: (client: Client, name: string) => Promise<void>) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await use(client, new URL(url).pathname.slice(1));
  } finally {
    await client.end();
  }
}

const endOthers = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** As on a standby to which all connections have moved and that is promoted later. */
const readOnly = (url: string, ms: number): Promise<void> =>
  withClient(url, async (client, name) => {
    await client.query(`alter database ${name} set default_transaction_read_only = on`);
    await client.query(endOthers);
    await delay(ms);
    await client.query('set transaction_read_only = off');
    await client.query('begin read write');
    await client.query(`alter database ${name} reset default_transaction_read_only`);
    await client.query('commit');
    await client.query(endOthers);
  });

/** Somebody holds the tables, and the database lets nobody wait for long. */
const locked = (url: string, ms: number): Promise<void> =>
  withClient(url, async (client, name) => {
    await client.query(`alter database ${name} set statement_timeout = '200ms'`);
    await client.query(endOthers);
    await client.query('begin');
    await client.query('lock table tasks, task_log_chunks in access exclusive mode');
    await delay(ms);
    await client.query('rollback');
    await client.query(`alter database ${name} reset statement_timeout`);
    await client.query(endOthers);
  });

/** All connections end with 57P01, and nobody can connect for a while. */
async function failOver(line: FaultyPostgres, url: string, ms: number): Promise<void> {
  await withClient(url, async (client) => void (await client.query(endOthers)));
  line.cut();
  await delay(ms);
  line.mend();
}

const names: Record<Access, string> = {
  read: 'I/O error of reads',
  write: 'I/O error of writes',
  sync: 'I/O error of syncs',
  room: 'full',
};

/**
 * Faults of SQLite without an end: another program holds its file, or its disk is full or answers with
 * errors (`disk` is null: neither of these).
 */
export function* sqliteFaults(
  random: () => number,
  dataDir: string,
  disk: FailingDisk | null,
): Generator<Fault> {
  for (;;) {
    // Longer than the server lets SQLite wait.
    if (!disk || random() < 0.2) yield { name: 'busy', strike: () => busy(dataDir, 5500) };
    else {
      const access = pick(random, accesses);
      const ms = 500 + Math.floor(random() * 2000);
      yield { name: names[access], strike: () => failing(dataDir, disk, { access, ms }) };
    }
  }
}

async function busy(dataDir: string, ms: number): Promise<void> {
  const other = new Database(join(dataDir, 'signalbox.db'));
  try {
    other.exec('begin immediate');
    await delay(ms);
    other.exec('rollback');
  } finally {
    other.close();
  }
}

async function failing(
  dataDir: string,
  disk: FailingDisk,
  { access, ms }: { access: Access; ms: number },
): Promise<void> {
  // With its next transaction the server then begins a new journal, for which it syncs.
  if (access === 'sync') {
    const other = new Database(join(dataDir, 'signalbox.db'));
    other.pragma('wal_checkpoint(restart)');
    other.close();
  }
  await disk.fail(access, ms);
}
