// Release on PostgreSQL: it starts processes, and kills some.
// Slow: servers are started and killed.
// The master key is replaced while a server goes on.

import { spawn } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { addManyKeys, sealAsBefore } from '../../../../test/helpers/sealed.ts';
import { serverMain } from '../../../../test/helpers/program.ts';
import { sealedProject } from '../../../../test/helpers/sealed-project.ts';
import { untilStatus } from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';
import { openContext } from '../../open-context.ts';
import { rotateMasterKey } from './rotate-master-key.ts';
import { allSealedColumns, sealedColumns } from '../../vault/sealed-columns.ts';
import { createVault } from '../../vault/vault.ts';
import { toMasterKey } from '../../vault/master-keys.ts';

const longTime = 120_000;

interface Sealed {
  column: string;
  text: string;
}

/** Everything in the database that looks sealed, whatever the list of sealed columns says. */
async function findSealed({ ctx: { db } }: TestApp): Promise<Sealed[]> {
  const found: Sealed[] = [];
  const tables = await db.introspection.getTables();
  // Jobs contain nothing but ids; their tables are in another schema.
  const own = tables.filter(({ schema = 'public' }) => schema === 'public');
  for (const { name: table, columns } of own) {
    for (const { name: column, dataType } of columns) {
      if (!/text|char/i.test(dataType)) continue;
      const { rows } = await sql<{ text: string | null }>`
        select ${sql.ref(column)} as text from ${sql.table(table)}`.execute(db);
      for (const { text } of rows) {
        if (/^v[123]:/.test(text ?? ''))
          found.push({ column: `${table}.${column}`, text: text ?? '' });
      }
    }
  }
  return found;
}

const readKeys = async (app: TestApp): Promise<string[]> =>
  (await readFile(join(app.ctx.config.dataDir, 'master.key'), 'utf8')).trim().split('\n');

test(
  'gate 11: a rotation seals everything again while a server reads and writes',
  { timeout: longTime },
  async () => {
    const app = await testApp();
    const { seed } = await sealedProject(app);
    const before = await findSealed(app);
    const [old = ''] = await readKeys(app);
    const other = await openContext(app.parts);
    const params = { project_id: seed.projectId };
    const login_password = { login: 'a', password: 'canary-late' };
    const progress = { isOver: false };
    const rotation = rotateMasterKey({ ...other, by: { ...other.by, via: 'cli' } }).finally(() => {
      progress.isOver = true;
    });
    let made = 0;
    while (!progress.isOver) {
      made += 1;
      const body = { name: `Key ${made}`, type: 'login_password' as const, login_password };
      await app.admin.call(keys.create, { params, body });
    }
    expect(await rotation).toBeGreaterThanOrEqual(before.length);
    await other.close();
    const now = await findSealed(app);
    const [newKey = '', ...rest] = await readKeys(app);
    expect([rest, newKey === old]).toEqual([[], false]);
    const prefix = `v3:${toMasterKey(newKey)?.id}:`;
    expect(now.length).toBeGreaterThanOrEqual(before.length + made);
    expect(now.filter(({ text }) => !text.startsWith(prefix))).toEqual([]);
    // The server, which ran all the time, reads the same secrets.
    const rows = await app.ctx.db
      .selectFrom('keys')
      .selectAll()
      .where('secret', 'is not', null)
      .execute();
    const opened = rows.map((row) =>
      app.ctx.vault.open(row.secret ?? '', sealedColumns.keySecret.at(row)),
    );
    expect(opened.filter((text) => text.includes('canary-late'))).toHaveLength(made);
    const oldVault = createVault(() => [toMasterKey(old) ?? { id: '', key: Buffer.alloc(32) }]);
    const [row] = rows;
    if (!row) throw new Error('there is no key');
    const place = sealedColumns.keySecret.at(row);
    expect(() => oldVault.open(row.secret ?? '', place)).toThrow('with another master key');
  },
);

test('gate 11: no column holds sealed texts that a rotation would miss', async () => {
  const app = await testApp();
  await sealedProject(app);
  const known = allSealedColumns.map(({ table, column }) => `${table}.${column}`);
  const found = new Set((await findSealed(app)).map(({ column }) => column));
  expect([...found].filter((column) => !known.includes(column))).toEqual([]);
  expect(known.filter((column) => !found.has(column))).toEqual([]);
});

test('gate 11: texts of the format before rotations belong to the first key', async () => {
  const { app, seed } = await appWithProject();
  const place = sealedColumns.keySecret.at({ id: seed.keyId, project_id: seed.projectId });
  const [text = ''] = await readKeys(app);
  const key = toMasterKey(text) ?? { id: '', key: Buffer.alloc(32) };
  const old = sealAsBefore('v1', key, '{"type":"none"}', place);
  await app.ctx.db.updateTable('keys').set({ secret: old }).where('id', '=', seed.keyId).execute();
  await rotateMasterKey(app.ctx);
  const row = await app.ctx.db
    .selectFrom('keys')
    .select('secret')
    .where('id', '=', seed.keyId)
    .executeTakeFirstOrThrow();
  expect(row.secret).toMatch(/^v3:/);
  expect(app.ctx.vault.open(row.secret ?? '', place)).toBe('{"type":"none"}');
});

test(
  'gate 11: a rotation that was killed in the middle is resumed by the next',
  { timeout: longTime },
  async () => {
    const app = await testApp({ runner: false });
    const { seed } = await sealedProject(app);
    const params = { project_id: seed.projectId };
    await addManyKeys(app.ctx, seed.projectId);
    const { dataDir, databaseUrl } = app.ctx.config;
    const [old = ''] = await readKeys(app);
    const settings = { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_DATABASE_URL: databaseUrl ?? '' };
    const env = { ...process.env, ...settings };
    const child = spawn(process.execPath, [serverMain, 'keys', 'rotate'], {
      env,
      stdio: 'ignore',
    });
    await until(async () =>
      (await findSealed(app)).some(({ text }) => !text.includes(`:${toMasterKey(old)?.id}:`)),
    );
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(await readKeys(app)).toHaveLength(2);
    // Both keys are valid until then.
    const key = await app.admin.call(keys.list, { params });
    expect(key.length).toBeGreaterThan(300);
    await rotateMasterKey(app.ctx);
    const [now = '', ...rest] = await readKeys(app);
    const others = (await findSealed(app)).filter(
      ({ text }) => !text.startsWith(`v3:${toMasterKey(now)?.id}:`),
    );
    expect([rest, others]).toEqual([[], []]);
  },
);

test(
  'gate 11: a task that waited with a secret answer runs after the rotation',
  { timeout: longTime },
  async () => {
    const app = await testApp({});
    const { task } = await sealedProject(app);
    await rotateMasterKey(app.ctx);
    await app.app.runner.start();
    expect((await untilStatus(app.admin, task, 'success')).status).toBe('success');
  },
);

test('gate 11: a server whose master key is missing or another one refuses to start', async () => {
  const app = await testApp({});
  const path = join(app.ctx.config.dataDir, 'master.key');
  await writeFile(path, `${Buffer.alloc(32, 9).toString('base64')}\n`);
  await expect(openContext(app.parts)).rejects.toThrow('is not the one that this database');
  await rm(path);
  await expect(openContext(app.parts)).rejects.toThrow('Put the file back from its backup');
  expect(await readdir(app.ctx.config.dataDir)).not.toContain('master.key');
});

test('gate 11: a key that the configuration gives is rotated with the one before it', async () => {
  const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const app = await testApp({ config: { masterKey: first ?? '' } });
  await expect(rotateMasterKey(app.ctx)).rejects.toThrow('SIGNALBOX_MASTER_KEY_OLD');
  const config = { ...app.parts.config, masterKey: second ?? '', oldMasterKey: first ?? '' };
  const both = await openContext({ ...app.parts, config });
  await rotateMasterKey(both);
  await both.close();
  await expect(openContext(app.parts)).rejects.toThrow('is not the one');
  const alone = await openContext({ ...app.parts, config: { ...config, oldMasterKey: null } });
  await alone.close();
});

test('gate 11: nobody seals for a place that the rotation does not know', async () => {
  const names = await readdir('src/server', { recursive: true });
  const makers: string[] = [];
  for (const name of names.filter((one) => /(?<!\.test)\.ts$/.test(one))) {
    const makesPlaces = /\bolderBinding\b/.test(await readFile(join('src/server', name), 'utf8'));
    if (makesPlaces) makers.push(name);
  }
  // Those of sessions seal cookies, which a browser stores, and that of tasks a text that ends with its task.
  expect(makers.toSorted()).toEqual([
    'people/session/devices.ts',
    'people/session/pending-mfa-sessions.ts',
    'runners/task-credentials.ts',
    'vault/sealed-columns.ts',
    'vault/vault.ts',
  ]);
});
