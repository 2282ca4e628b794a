// Refuses a PostgreSQL setup that would lose tasks or texts.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { ConfigError } from '../../node/config-error.ts';
import type { Client } from './pg.ts';

// For a connection, a statement and a notification.
const MAX_WAIT_MS = 10_000;

const pooled =
  'SIGNALBOX_DATABASE_URL leads to a pooler, such as PgBouncer, that gives a connection to another client after each transaction. Signalbox needs connections that stay its own, for LISTEN and prepared statements. Set pool_mode = session there for this database, or name the PostgreSQL server itself, and start again.';

/** Throws ConfigError for an encoding other than UTF8, and for a transaction pooler. */
export async function requireSuitablePostgres(url: string): Promise<void> {
  await withClient(url, async (one) => {
    await requireUtf8(one);
    const isOwn = await withClient(url, (two) => isOwnSession(one, two));
    if (!isOwn) throw new ConfigError(pooled);
  });
}

async function withClient<T>(
  connectionString: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await createClient(connectionString);
  // The failing statement reports the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createClient(connectionString: string): Promise<Client> {
  const { Client } = await import('./pg.ts');
  try {
    return new Client({
      connectionString,
      application_name: 'signalbox start',
      connectionTimeoutMillis: MAX_WAIT_MS,
      query_timeout: MAX_WAIT_MS,
    });
  } catch (error) {
    // The driver reads sslrootcert, sslcert and sslkey.
    const { code, path } = error as NodeJS.ErrnoException;
    if (path === undefined) throw error;
    throw new ConfigError(
      `SIGNALBOX_DATABASE_URL names the file ${path}, which cannot be read (${code ?? 'unknown'}). Correct the address, and start again.`,
      { cause: error },
    );
  }
}

async function requireUtf8(client: Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  );
  const encoding = rows[0]?.encoding ?? '';
  if (encoding === 'UTF8') return;
  throw new ConfigError(
    `The database that SIGNALBOX_DATABASE_URL names has the encoding ${encoding}, in which not every text can be stored. Make one with UTF8 ("createdb --encoding=UTF8 --template=template0"), move the data there with pg_dump and pg_restore, and start again.`,
  );
}

/** Whether a connection keeps its backend process. */
async function isOwnSession(one: Client, two: Client): Promise<boolean> {
  const channel = `signalbox_${randomUUID().replaceAll('-', '')}`;
  await one.query(`listen ${channel}`);
  const before = await backendOf(one);
  const heard = once(one, 'notification', { signal: AbortSignal.timeout(MAX_WAIT_MS) });
  heard.catch(() => undefined);
  if (!(await mayBegin(two))) return false;
  // A transaction pooler would assign the released backend.
  if ((await backendOf(two)) === before || (await backendOf(one)) !== before) return false;
  await two.query(`notify ${channel}`);
  await two.query('commit');
  return heard.then(
    () => true,
    () => false,
  );
}

/** False for a statement pooler, which refuses transactions. */
async function mayBegin(client: Client): Promise<boolean> {
  try {
    await client.query('begin');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('statement pooling mode')) return false;
    throw error;
  }
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
