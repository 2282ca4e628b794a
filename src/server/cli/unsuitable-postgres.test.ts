// Only on PostgreSQL: it is about databases on which a server cannot work.

import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runInside } from '../../../test/helpers/command.ts';
import { makeCertificates } from '../../../test/helpers/directory-certificates.ts';
import { startPgBouncer } from '../../../test/helpers/pgbouncer.ts';
import { notRoot, startCluster } from '../../../test/helpers/postgres-cluster.ts';
import { freshPostgres } from '../../../test/helpers/postgres.ts';
import { folder } from '../../../test/helpers/seed.ts';

async function migrate(databaseUrl: string, dataDir?: string) {
  const SIGNALBOX_DATA_DIR = dataDir ?? (await folder());
  return runInside(['migrate'], { SIGNALBOX_DATA_DIR, SIGNALBOX_DATABASE_URL: databaseUrl });
}

async function execute(databaseUrl: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

test.each(['transaction', 'statement'] as const)(
  'PgBouncer that pools each %s is refused with one line',
  async (mode) => {
    const { url } = await freshPostgres();
    const { code, out, error } = await migrate(await startPgBouncer(url, mode));
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(
      /^SIGNALBOX_DATABASE_URL leads to a pooler, .* pool_mode = session .*\n$/,
    );
  },
);

test('PgBouncer that pools sessions works', async () => {
  const { url } = await freshPostgres();
  const { code, error } = await migrate(await startPgBouncer(url, 'session'));
  expect([code, error]).toEqual([0, '']);
});

test('a database with another encoding than UTF8 is refused with one line', async () => {
  const { url } = await freshPostgres();
  const latin = new URL(url);
  latin.pathname += '_latin1';
  const name = latin.pathname.slice(1);
  await execute(url, `create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  const { code, error } = await migrate(latin.href);
  await execute(url, `drop database ${name}`);
  expect(code).toBe(1);
  expect(error).toMatch(/^The database .* has the encoding LATIN1, .*createdb.*\n$/);
});

test('tables of another product in another schema are not mistaken for own ones', async () => {
  const { url } = await freshPostgres();
  await execute(
    url,
    'create schema other',
    'create table other.kysely_migration (name varchar(255) primary key, timestamp varchar(255))',
    "insert into other.kysely_migration values ('9999-theirs', '2026')",
    'create table other.kysely_migration_lock (id varchar(255) primary key, is_locked integer)',
    'create table other.settings (name text, value text)',
  );
  const dataDir = await folder();
  for (let time = 0; time < 2; time += 1) {
    const { code, error } = await migrate(url, dataDir);
    expect([code, error]).toEqual([0, '']);
  }
});

describe('TLS to the database', () => {
  test('that it does not offer is told in one line', async () => {
    const { url } = await freshPostgres();
    const { code, error } = await migrate(`${url}?sslmode=verify-full`);
    expect(code).toBe(1);
    expect(error).toMatch(/^The database .* does not support SSL connections\. .*sslrootcert.*\n$/);
  });

  test('with a file that is not there is told in one line', async () => {
    const { url } = await freshPostgres();
    const { code, error } = await migrate(`${url}?sslrootcert=/nowhere/ca.pem`);
    expect(code).toBe(1);
    expect(error).toMatch(
      /^SIGNALBOX_DATABASE_URL names the file \/nowhere\/ca\.pem, .*ENOENT.*\n$/,
    );
  });

  test('works with the certificate of its authority, and only with that one', async () => {
    const place = await mkdtemp(join(tmpdir(), 'signalbox-tls-'));
    await chmod(place, 0o755);
    makeCertificates(place);
    const { uid, gid } = notRoot();
    if (uid !== undefined && gid !== undefined) await chown(join(place, 'server.key'), uid, gid);
    const files = {
      ssl_cert_file: join(place, 'server.pem'),
      ssl_key_file: join(place, 'server.key'),
    };
    const cluster = await startCluster({ ssl: 'on', ...files });
    onTestFinished(async () => {
      await cluster.stop();
      await rm(place, { recursive: true });
    });
    const encrypted = `${cluster.url}?sslmode=verify-full`;
    const right = await migrate(`${encrypted}&sslrootcert=${place}/ca.pem`);
    expect([right.code, right.error]).toEqual([0, '']);
    for (const address of [encrypted, `${encrypted}&sslrootcert=${place}/other.pem`]) {
      const { code, error } = await migrate(address);
      expect(code).toBe(1);
      expect(error).toMatch(/^The database .* certificate.* This is about TLS: .*\n$/);
    }
  });
});
