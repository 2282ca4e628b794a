// Runs a real PgBouncer before a PostgreSQL, on 127.0.0.1.

import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { notRoot } from './postgres-cluster.ts';
import { until } from './until.ts';

type PoolMode = 'session' | 'transaction' | 'statement';

/** Starts PgBouncer, which ends with the test; returns the address of the same database through it. */
export async function startPgBouncer(databaseUrl: string, mode: PoolMode): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-pgbouncer-'));
  await chmod(folder, 0o755);
  const target = new URL(databaseUrl);
  const port = await freePort();
  await writeFile(join(folder, 'users'), `"${target.username}" ""\n`);
  const settings = [
    '[databases]',
    `* = host=${target.hostname} port=${target.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${folder}/users`,
    `pool_mode = ${mode}`,
  ];
  await writeFile(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  const args = ['-q', join(folder, 'pgbouncer.ini')];
  const server = spawn('/usr/sbin/pgbouncer', args, { ...notRoot(), stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  target.port = String(port);
  await until(() => isReady(target.href));
  return target.href;
}

async function isReady(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
