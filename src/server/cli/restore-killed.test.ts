// Before a release: restores are killed at many moments, and disks are filled.
// A restore that comes to no end leaves what was there, or is refused by the server and begins again.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectApi } from '../../../test/helpers/api-client.ts';
import { runCommand, runInside, startCommand } from '../../../test/helpers/command.ts';
import { randomNumber, runSeed } from '../../../test/helpers/random.ts';
import { backUp, emptyPlace } from '../../../test/helpers/restored.ts';
import { settingsOf, startServer, type TestServer } from '../../../test/helpers/server.ts';
import { smallDisk } from '../../../test/helpers/small-disk.ts';
import { until } from '../../../test/helpers/until.ts';

let server: TestServer;
let away: string;
let made: { file: string; key: string };
let usualMs: number;
const random = randomNumber(runSeed);

beforeAll(async () => {
  server = await startServer();
  const site = join(server.dataDir, 'repositories', 'site');
  await mkdir(site);
  for (let count = 0; count < 300; count += 1) {
    await writeFile(join(site, `file-${count}`), randomBytes(20_000));
  }
  away = await mkdtemp(join(tmpdir(), 'signalbox-away-'));
  made = await backUp(await settingsOf(server.dataDir), away);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await rm(away, { recursive: true, force: true });
});

const args = () => ['restore', '--from', made.file, '--key', made.key];

/** Begins again, as soon as PostgreSQL has noticed that the killed command is gone. */
const again = (place: Record<string, string>, ...more: string[]) =>
  until(async () => {
    const result = await runInside([...args(), ...more], place);
    const isTooEarly = /^(?:Another restore into|Somebody else is connected)/.test(result.error);
    return !isTooEarly && result;
  });

test('after a kill it is begun again, and no server starts before', async () => {
  const whole = await emptyPlace();
  const begun = performance.now();
  expect(await runCommand(args(), whole)).toMatchObject({ code: 0 });
  usualMs = performance.now() - begun;
  for (let count = 0; count < 5; count += 1) {
    const place = await emptyPlace();
    const child = startCommand(args(), place);
    const ended = new Promise((resolve) => child.once('close', resolve));
    await Promise.race([delay(usualMs * (0.3 + 0.7 * random())), ended]);
    child.kill('SIGKILL');
    await ended;
    const dataDir = place.SIGNALBOX_DATA_DIR;
    const names = existsSync(dataDir) ? await readdir(dataDir) : [];
    const isUnfinished = names.includes('restore-unfinished');
    // Nothing, or everything, or a mark.
    const site = join(dataDir, 'repositories', 'site');
    const files = existsSync(site) ? (await readdir(site)).length : 0;
    expect([isUnfinished, files]).toBeOneOf([
      [true, expect.any(Number)],
      [false, 0],
      [false, 300],
    ]);
    const start = isUnfinished
      ? (await runInside(['user', 'list'], place)).error
      : 'A restore into';
    expect(start).toMatch(/^A restore into/);
    const next = await again(place);
    // What was restored to its end is not replaced without a word.
    expect([next.code, next.error]).toBeOneOf([
      [0, ''],
      [1, expect.stringContaining('is not empty')],
    ]);
    const list = await runInside(['user', 'list'], place);
    expect([list.error, list.out]).toEqual(['', expect.stringContaining('admin')]);
    expect(await readdir(dataDir)).not.toContain('restore-unfinished');
  }
});

test('a kill while it replaces something leaves that, or is refused and begun again', async () => {
  const place = await emptyPlace();
  expect(await runInside(args(), place)).toMatchObject({ code: 0 });
  for (let count = 0; count < 3; count += 1) {
    const child = startCommand([...args(), '--replace'], place);
    const ended = new Promise((resolve) => child.once('close', resolve));
    await Promise.race([delay(usualMs * (0.5 + 0.6 * random())), ended]);
    child.kill('SIGKILL');
    await ended;
    const list = await runInside(['user', 'list'], place);
    expect(list.code === 0 ? list.out : list.error).toMatch(
      list.code === 0 ? /admin/ : /^A restore into the .* has not come to its end/,
    );
    const next = list.code === 0 ? list : await again(place, '--replace');
    expect([next.error, next.code]).toEqual(['', 0]);
  }
  const { end, address } = await startServer({ dataDir: place.SIGNALBOX_DATA_DIR, env: place });
  await connectApi({ address, password: server.password });
  await end('SIGTERM');
});

test('a full disk is named, and nothing is restored', async () => {
  const disk = await smallDisk(5);
  const place = { ...(await emptyPlace()), SIGNALBOX_DATA_DIR: join(disk, 'data') };
  const { code, error } = await runInside(args(), place);
  expect([code, error]).toEqual([
    1,
    expect.stringContaining(`The disk of ${disk}/data has no room for what the backup contains`),
  ]);
  expect(await readdir(disk)).toEqual([]);
});

test('a disk that becomes full meanwhile leaves what was there', async () => {
  const disk = await smallDisk(11);
  const place = { ...(await emptyPlace()), SIGNALBOX_DATA_DIR: join(disk, 'data') };
  expect(await runInside(args(), place)).toMatchObject({ code: 0, error: '' });
  const key = await readFile(join(disk, 'data/master.key'), 'utf8');
  const names = await readdir(join(disk, 'data'));
  const { code, error } = await runInside([...args(), '--replace'], place);
  expect([code, error]).toEqual([1, expect.stringContaining('nothing was restored')]);
  expect((await readdir(join(disk, 'data'))).toSorted()).toEqual(names.toSorted());
  expect(await readFile(join(disk, 'data/master.key'), 'utf8')).toBe(key);
  expect((await runInside(['user', 'list'], place)).out).toContain('admin');
});
