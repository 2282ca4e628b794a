// A new master key while a server goes on.

import { spawn } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { secondFactor } from '#shared/api/second-factor.ts';
import { engines, testApp, type TestApp } from '../../../test/helpers/app.ts';
import { fullProject } from '../../../test/helpers/full-project.ts';
import { send } from '../../../test/helpers/integrations.ts';
import { seedProject } from '../../../test/helpers/seed.ts';
import { launch, untilStatus } from '../../../test/helpers/tasks.ts';
import { until } from '../../../test/helpers/until.ts';
import { openContext } from '../open-context.ts';
import { sessionPurpose } from '../session/session.ts';
import { rotateMasterKey } from './rotate.ts';
import { sealedColumns } from './sealed-columns.ts';
import { createVault } from './vault.ts';
import { toMasterKey } from './master-keys.ts';

const longTime = 120_000;

interface Sealed {
  column: string;
  text: string;
}

/** Everything in the database that looks sealed, whatever the columns are said to be. */
async function findSealed({ ctx: { db } }: TestApp): Promise<Sealed[]> {
  const found: Sealed[] = [];
  const tables = await db.introspection.getTables();
  // Jobs, which lie in a schema of their own, hold nothing but ids.
  const own = tables.filter(({ schema = 'public' }) => schema === 'public');
  for (const { name: table, columns } of own) {
    for (const { name: column, dataType } of columns) {
      if (!/text|char/i.test(dataType)) continue;
      const { rows } = await sql<{ text: string | null }>`
        select ${sql.ref(column)} as text from ${sql.table(table)}`.execute(db);
      for (const { text } of rows) {
        if (/^v[12]:/.test(text ?? ''))
          found.push({ column: `${table}.${column}`, text: text ?? '' });
      }
    }
  }
  return found;
}

const readKeys = async (app: TestApp): Promise<string[]> =>
  (await readFile(join(app.ctx.config.dataDir, 'master.key'), 'utf8')).trim().split('\n');

/** A project with one sealed text of each kind, and a task that waits with a secret answer. */
async function fill(app: TestApp) {
  const { aliases } = await fullProject(app.admin);
  for (const alias of aliases) await send(app.admin, { alias, body: {} });
  const seed = await seedProject(app.admin);
  const template = await seed.template({
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
  });
  const body = { template_id: template.id, secret: '{"token": "canary-answer"}' };
  const task = await launch(app.admin, seed.projectId, body);
  await app.admin.call(secondFactor.start, {});
  const idToken = app.ctx.vault.seal('canary-id-token', sessionPurpose);
  await app.ctx.db.updateTable('sessions').set({ id_token: idToken }).execute();
  return { seed, task };
}

describe.each(engines)('%s', (engine) => {
  test(
    'gate 11: a rotation seals everything anew while a server reads and writes',
    { timeout: longTime },
    async () => {
      const app = await testApp({ engine });
      const { seed } = await fill(app);
      const before = await findSealed(app);
      const [old = ''] = await readKeys(app);
      const other = await openContext(app.parts);
      const params = { project_id: seed.projectId };
      const login_password = { login: 'a', password: 'canary-late' };
      const progress = { isOver: false };
      const rotation = rotateMasterKey({ ...other, by: { ...other.by, via: 'cli' } }).finally(
        () => {
          progress.isOver = true;
        },
      );
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
      const prefix = `v2:${toMasterKey(newKey)?.id}:`;
      expect(now.length).toBeGreaterThanOrEqual(before.length + made);
      expect(now.filter(({ text }) => !text.startsWith(prefix))).toEqual([]);
      // Still the same secrets, for the server that went on all the time.
      const rows = await app.ctx.db
        .selectFrom('keys')
        .selectAll()
        .where('secret', 'is not', null)
        .execute();
      const opened = rows.map((row) =>
        app.ctx.vault.open(row.secret ?? '', `key of project ${row.project_id}`),
      );
      expect(opened.filter((text) => text.includes('canary-late'))).toHaveLength(made);
      const oldVault = createVault(() => [toMasterKey(old) ?? { id: '', key: Buffer.alloc(32) }]);
      expect(() => oldVault.open(rows[0]?.secret ?? '', '')).toThrow(
        'master key that is not known',
      );
    },
  );

  test('gate 11: no column holds sealed texts that a rotation would miss', async () => {
    const app = await testApp({ engine });
    await fill(app);
    const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
    const found = new Set((await findSealed(app)).map(({ column }) => column));
    expect([...found].filter((column) => !known.includes(column))).toEqual([]);
    expect(known.filter((column) => !found.has(column))).toEqual([]);
  });

  test('gate 11: texts of the format before rotations belong to the first key', async () => {
    const app = await testApp({ engine });
    const seed = await seedProject(app.admin);
    const sealed = app.ctx.vault.seal('{"type":"none"}', `key of project ${seed.projectId}`);
    const old = `v1:${sealed.split(':')[2]}`;
    await app.ctx.db
      .updateTable('keys')
      .set({ secret: old })
      .where('id', '=', seed.keyId)
      .execute();
    await rotateMasterKey(app.ctx);
    const row = await app.ctx.db
      .selectFrom('keys')
      .select('secret')
      .where('id', '=', seed.keyId)
      .executeTakeFirstOrThrow();
    expect(row.secret).toMatch(/^v2:/);
    expect(app.ctx.vault.open(row.secret ?? '', `key of project ${seed.projectId}`)).toBe(
      '{"type":"none"}',
    );
  });
});

test(
  'gate 11: a rotation that was killed in the middle is resumed by the next',
  { timeout: longTime },
  async () => {
    const app = await testApp({ runner: false });
    const { seed } = await fill(app);
    const params = { project_id: seed.projectId };
    for (let index = 0; index < 300; index += 1) {
      const secret = app.ctx.vault.seal('{}', `key of project ${seed.projectId}`);
      const row = {
        project_id: seed.projectId,
        name: `Key ${index}`,
        type: 'ssh' as const,
        secret,
      };
      await app.ctx.db.insertInto('keys').values(row).execute();
    }
    const { dataDir, databaseUrl } = app.ctx.config;
    const [old = ''] = await readKeys(app);
    const settings = { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_DATABASE_URL: databaseUrl ?? '' };
    const env = { ...process.env, ...settings };
    const child = spawn(process.execPath, ['src/server/main.ts', 'keys', 'rotate'], {
      env,
      stdio: 'ignore',
    });
    await until(async () =>
      (await findSealed(app)).some(({ text }) => !text.includes(`:${toMasterKey(old)?.id}:`)),
    );
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(await readKeys(app)).toHaveLength(2);
    // Both keys are good until then.
    const key = await app.admin.call(keys.list, { params });
    expect(key.length).toBeGreaterThan(300);
    await rotateMasterKey(app.ctx);
    const [now = '', ...rest] = await readKeys(app);
    const others = (await findSealed(app)).filter(
      ({ text }) => !text.startsWith(`v2:${toMasterKey(now)?.id}:`),
    );
    expect([rest, others]).toEqual([[], []]);
  },
);

test(
  'gate 11: a task that waited with a secret answer runs after the rotation',
  { timeout: longTime },
  async () => {
    const app = await testApp({});
    const { task } = await fill(app);
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

test('gate 11: every file that seals is known to the rotation', async () => {
  const registry = await readFile('src/server/keys/sealed-columns.ts', 'utf8');
  const names = await readdir('src/server', { recursive: true });
  const missed: string[] = [];
  for (const name of names.filter((one) => /(?<!\.test)\.ts$/.test(one))) {
    const isOwn = /^keys\/(?:vault|rotate|master-keys)\.ts$/.test(name);
    if (isOwn || !(await readFile(join('src/server', name), 'utf8')).includes('vault.seal('))
      continue;
    // What it seals for may stand in another file of its folder.
    const known = [`'../${dirname(name)}/`, `'./${name.replace(/^keys\//, '')}'`];
    if (!known.some((path) => registry.includes(path))) missed.push(name);
  }
  expect(missed).toEqual([]);
});
