// Release on PostgreSQL: it starts processes, and kills some.
// Slow: whole servers are started and killed.
// A sealed text opens only in its own table, column and row. Texts that earlier versions have bound
// to project and purpose are bound to their places at the start.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { keys } from '#shared/api/keys.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import {
  addManyKeys,
  listSealed,
  overwrite,
  sealAsBefore,
  unbind,
  type Sealed,
} from '../../../../test/helpers/sealed.ts';
import { serverMain } from '../../../../test/helpers/program.ts';
import { sealedProject } from '../../../../test/helpers/sealed-project.ts';
import { launch, logText, untilFinished } from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';
import { openContext } from '../../open-context.ts';
import { openKey } from '../../resources/keys/keys.ts';
import { toMasterKey } from '../../vault/master-keys.ts';
import { rotateMasterKey } from './rotate-master-key.ts';

const masterKeys = async ({ ctx }: TestApp): Promise<string[]> =>
  (await readFile(join(ctx.config.dataDir, 'master.key'), 'utf8')).trim().split('\n');

const formOf = ({ text }: Sealed): string => text.slice(0, 3);
const forms = async ({ ctx }: TestApp): Promise<string[]> => [
  ...new Set((await listSealed(ctx)).map(formOf)),
];

/** The pairs of places in which a text opens at the place of another one. */
function mixedUp({ ctx }: TestApp, all: Sealed[]): string[] {
  const nameOf = ({ place }: Sealed): string => `${place.column} ${place.row}`;
  return all.flatMap((text) =>
    all
      .filter((place) => place !== text && canOpen(ctx, text, place))
      .map((place) => `${nameOf(text)} opens as ${nameOf(place)}`),
  );
}

function canOpen({ vault }: TestApp['ctx'], { text }: Sealed, { place }: Sealed): boolean {
  try {
    vault.open(text, place);
    return true;
  } catch {
    return false;
  }
}

/** Stops the server and starts it again on the same data. */
async function startAgain(app: TestApp): Promise<void> {
  const again = await openContext(app.parts);
  await again.close();
}

const password = (name: string) => ({
  name,
  type: 'login_password' as const,
  login_password: { login: name, password: `secret of ${name}` },
});

async function twoKeys(app: TestApp, projectId: number): Promise<[Sealed, Sealed]> {
  const params = { project_id: projectId };
  const ids: number[] = [];
  for (const name of ['One', 'Two']) {
    ids.push((await app.admin.call(keys.create, { params, body: password(name) })).id);
  }
  const all = await listSealed(app.ctx);
  const [one, two] = ids.map((id) =>
    all.find(({ place }) => place.column === 'keys.secret' && place.row === id),
  );
  if (!one || !two) throw new Error('the keys have no secret');
  return [one, two];
}

async function swap(app: TestApp, [one, two]: [Sealed, Sealed]): Promise<void> {
  await overwrite(app.ctx, one, two.text);
  await overwrite(app.ctx, two, one.text);
}

/** Opens the secret of a key as a task does. */
const open = (app: TestApp, { row }: Sealed) => openKey(app.ctx, row.project_id, Number(row.id));

async function expectRefused(app: TestApp, pair: [Sealed, Sealed]): Promise<void> {
  for (const key of pair) {
    await expect(open(app, key)).rejects.toThrow(
      `Cannot decrypt the secret in keys.secret, row ${key.row.id}: it was encrypted for another row`,
    );
  }
}

test('a text opens in its own row and column only, of every column', async () => {
  const app = await testApp();
  await sealedProject(app);
  const all = await listSealed(app.ctx);
  expect(all.filter((one) => !canOpen(app.ctx, one, one))).toEqual([]);
  expect(mixedUp(app, all)).toEqual([]);
  expect(await forms(app)).toEqual(['v3:']);
});

test('secrets of two keys that are swapped in the database open in neither', async () => {
  const app = await testApp();
  const { seed } = await sealedProject(app);
  const pair = await twoKeys(app, seed.projectId);
  await swap(app, pair);
  await expectRefused(app, pair);
  for (const one of pair) await overwrite(app.ctx, one, one.text);
  expect(await open(app, pair[0])).toMatchObject({ login: 'One', password: 'secret of One' });
});

test('who asks for a text that does not open is told which, and nothing of it', async () => {
  const app = await testApp();
  await sealedProject(app);
  const all = await listSealed(app.ctx);
  const alias = all.find(({ place }) => place.column === 'integration_aliases.alias');
  const key = all.find(({ place }) => place.column === 'keys.secret');
  if (!alias || !key) throw new Error('nothing to swap');
  await overwrite(app.ctx, alias, key.text);
  const { integration_id: id } = await app.ctx.db
    .selectFrom('integration_aliases')
    .select('integration_id')
    .where('id', '=', Number(alias.row.id))
    .executeTakeFirstOrThrow();
  const path = id === null ? 'integrations' : `integrations/${id}`;
  const url = `/api/project/${alias.row.project_id}/${path}/aliases`;
  const answer = await app.admin.raw({ url });
  expect(answer.statusCode).toBe(422);
  const params = { column: 'integration_aliases.alias', row: alias.row.id };
  expect(answer.json()).toMatchObject({ code: 'secret.not_opened', params });
  expect(answer.body).not.toContain(key.text.slice(3));
});

test('texts of versions before are bound to their rows at the next start', async () => {
  const app = await testApp();
  const { seed } = await sealedProject(app);
  const pair = await twoKeys(app, seed.projectId);
  const [key = ''] = await masterKeys(app);
  await unbind(app.ctx, key);
  expect(await forms(app)).toEqual(['v2:']);
  const before = await listSealed(app.ctx);
  // The texts open as they are, and also in each other's places, which is why they are bound.
  expect(before.filter((one) => !canOpen(app.ctx, one, one))).toEqual([]);
  expect(mixedUp(app, before)).not.toEqual([]);
  await startAgain(app);
  const now = await listSealed(app.ctx);
  expect([await forms(app), now.length]).toEqual([['v3:'], before.length]);
  expect(now.filter((one) => !canOpen(app.ctx, one, one))).toEqual([]);
  expect(mixedUp(app, now)).toEqual([]);
  const moved = now.filter(({ place }) => pair.some((one) => one.place.binding === place.binding));
  await swap(app, moved as [Sealed, Sealed]);
  await expectRefused(app, pair);
});

test('two servers that start at once bind texts together', async () => {
  const app = await testApp();
  const { seed } = await sealedProject(app);
  await addManyKeys(app.ctx, seed.projectId);
  const [key = ''] = await masterKeys(app);
  await unbind(app.ctx, key);
  await Promise.all([startAgain(app), startAgain(app)]);
  expect(await forms(app)).toEqual(['v3:']);
  const now = await listSealed(app.ctx);
  expect(now.filter((one) => !canOpen(app.ctx, one, one))).toEqual([]);
});

test.each([
  ['none', () => false],
  ['half', (_: Sealed, index: number) => index % 2 === 0],
  ['all', () => true],
])('a rotation works where %s of the texts have the form of before', async (_, isOld) => {
  const app = await testApp();
  await sealedProject(app);
  const [key = ''] = await masterKeys(app);
  await unbind(app.ctx, key, isOld);
  await rotateMasterKey(app.ctx);
  const [newest = ''] = await masterKeys(app);
  const now = await listSealed(app.ctx);
  const prefix = `v3:${toMasterKey(newest)?.id}:`;
  expect(now.filter(({ text }) => !text.startsWith(prefix))).toEqual([]);
  expect(now.filter((one) => !canOpen(app.ctx, one, one))).toEqual([]);
  expect(mixedUp(app, now)).toEqual([]);
});

test('a text that does not open keeps no server from starting', async () => {
  const app = await testApp();
  const { seed } = await sealedProject(app);
  const pair = await twoKeys(app, seed.projectId);
  const [key = ''] = await masterKeys(app);
  await unbind(app.ctx, key);
  const [lost] = pair;
  const other = { key: Buffer.alloc(32, 1), id: toMasterKey(key)?.id ?? '' };
  await overwrite(app.ctx, lost, sealAsBefore('v2', other, '{}', lost.place));
  await startAgain(app);
  const old = (await listSealed(app.ctx)).filter((one) => formOf(one) !== 'v3:');
  expect(old.map(({ place }) => [place.column, place.row])).toEqual([['keys.secret', lost.row.id]]);
  await expect(open(app, lost)).rejects.toThrow(`row ${lost.row.id}: it was encrypted`);
});

test('a task that needs a secret that does not open fails, and its log says which', async () => {
  const { app, seed } = await appWithProject({ 'play.yml': 'echo "$ONE"\n' }, { runner: true });
  const secrets = ['ONE', 'TWO'].map((name) => ({
    operation: 'create' as const,
    type: 'env' as const,
    name,
    secret: `canary ${name}`,
  }));
  const { id: environment_id } = await app.admin.call(environments.create, {
    params: { project_id: seed.projectId },
    body: { name: 'E', secrets },
  });
  const template = await seed.template({ app: 'bash', environment_id, retries: 1 });
  const all = await listSealed(app.ctx);
  const [one, two] = all.filter(({ place }) => place.column === 'environment_secrets.secret');
  if (!one || !two) throw new Error('nothing to swap');
  await swap(app, [one, two]);
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  expect(await logText(app.admin, task)).toContain(
    `Cannot decrypt the secret in environment_secrets.secret, row ${one.row.id}`,
  );
});

test('a start that is killed while it binds texts is made good by the next', async () => {
  const app = await testApp({});
  const { seed } = await sealedProject(app);
  await addManyKeys(app.ctx, seed.projectId, 2000);
  const [key = ''] = await masterKeys(app);
  await unbind(app.ctx, key);
  const { dataDir, databaseUrl } = app.ctx.config;
  const settings = { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_DATABASE_URL: databaseUrl ?? '' };
  const child = spawn(process.execPath, [serverMain, 'user', 'list'], {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await until(async () => (await forms(app)).includes('v3:'));
  child.kill('SIGKILL');
  await ended;
  expect(await forms(app)).toEqual(['v3:', 'v2:']);
  // Until then all texts open.
  const half = await listSealed(app.ctx);
  expect(half.filter((one) => !canOpen(app.ctx, one, one))).toEqual([]);
  await startAgain(app);
  expect(await forms(app)).toEqual(['v3:']);
}, 120_000);
