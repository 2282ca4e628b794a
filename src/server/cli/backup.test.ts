// Also on PostgreSQL: its database is read by programs of its own.
// Slow: servers and commands are started as processes of their own, and killed.
// `signalbox backup` beside a running server.

import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCanary } from '../../../test/helpers/canaries.ts';
import { unpack } from '../../../test/helpers/archives.ts';
import {
  runCommand,
  runInside,
  startCommand,
  type Settings,
} from '../../../test/helpers/command.ts';
import { ownEngine } from '../../../test/helpers/engine.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { settingsOf, startServer, type TestServer } from '../../../test/helpers/server.ts';
import { smallDisk } from '../../../test/helpers/small-disk.ts';
import { until } from '../../../test/helpers/until.ts';
import { openDatabase } from '../db/open.ts';

const canary = newCanary();
let server: TestServer;
let settings: Settings;

beforeAll(async () => {
  server = await startServer();
  settings = {
    ...(await settingsOf(server.dataDir)),
    SIGNALBOX_SMTP_URL: `smtp://anna:${encodeURIComponent(canary)}@mail.example.com`,
    SIGNALBOX_KEEP_DAYS: '30',
  };
  const repository = join(server.dataDir, 'repositories', 'site');
  await mkdir(repository);
  await writeFile(join(repository, 'play.yml'), '- hosts: all\n');
  await symlink('play.yml', join(repository, 'same.yml'));
  await symlink('/etc/passwd', join(repository, 'outside'));
  await mkdir(join(server.dataDir, 'mirrors'));
  await writeFile(join(server.dataDir, 'mirrors', 'cache'), '');
}, 120_000);
afterAll(() => server.stop());

const nothingLeft = async (place: string): Promise<void> =>
  expect(await readdir(place)).toEqual([]);

test('stores a backup that was read back, without the key and other secrets', async () => {
  const to = await folder();
  const { code, out, error } = await runCommand(['backup', '--to', to], settings);
  expect([code, error]).toEqual([0, '']);
  const [name = '', ...others] = await readdir(to);
  expect([name, others]).toEqual([
    expect.stringMatching(/^signalbox-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.zst$/),
    [],
  ]);
  const file = join(to, name);
  expect(out).toMatch(
    new RegExp(
      `^Backup: ${file}\n[\\d.]+ MB in [\\d.]+ s, \\d+ rows of \\d+ tables, read back and checked.\n`,
    ),
  );
  expect(out).toContain('repositories/site/outside (the link leads out of its folder)');
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const content = await unpack(await readFile(file));
  const paths = [...content.keys()];
  expect(paths[0]).toBe('manifest.json');
  expect(paths.at(-1)).toBe('SHA256SUMS');
  expect(paths).toContain('data/repositories/site/play.yml');
  expect(paths).toContain('data/repositories/site/same.yml');
  expect(paths.filter((path) => /mirrors|outside|key$|lock$/.test(path))).toEqual([]);
  for (const line of content.get('SHA256SUMS')?.toString().trim().split('\n') ?? []) {
    const [sum, path = ''] = line.split('  ');
    const hash = createHash('sha256').update(content.get(path) ?? '');
    expect([path, sum]).toEqual([path, hash.digest('hex')]);
  }
  const manifest = JSON.parse(String(content.get('manifest.json'))) as Record<string, unknown>;
  expect(manifest).toMatchObject({
    engine: ownEngine,
    data_dir: server.dataDir,
    rows: { users: 1 },
  });
  const kept = String(content.get('settings/signalbox.env'));
  expect(kept).toContain('SIGNALBOX_KEEP_DAYS="30"\n');
  expect(kept).toContain('# SIGNALBOX_SMTP_URL is set; its value is secret');
  const key = (await readFile(join(server.dataDir, 'master.key'), 'utf8')).trim();
  const whole = Buffer.concat([...content.values()]);
  for (const secret of [
    key,
    canary,
    new URL(settings['SIGNALBOX_DATABASE_URL'] ?? 'x:').password,
  ]) {
    expect(secret !== '' && whole.includes(secret)).toBe(false);
  }
  await expect(readdir(server.dataDir)).resolves.not.toContain(
    expect.stringMatching(/^\.signalbox/),
  );
});

test('writes the key to another place only', async () => {
  const [to, away] = [await folder(), await folder()];
  const keyFile = join(away, 'signalbox.key');
  const args = ['backup', '--to', to, '--key-to'];
  const made = await runInside([...args, keyFile], settings);
  expect([made.code, made.error]).toEqual([0, '']);
  expect(await readFile(keyFile)).toEqual(await readFile(join(server.dataDir, 'master.key')));
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  const beside = await runInside([...args, join(to, 'key')], settings);
  expect(beside).toMatchObject({ code: 1, error: expect.stringContaining('must not lie with') });
  await writeFile(keyFile, 'something else');
  const taken = await runInside([...args, keyFile], settings);
  expect(taken.error).toBe(
    `There is a file ${keyFile} already, with something else. Name another.\n`,
  );
});

describe('sends a backup', () => {
  test('to standard output', async () => {
    const child = startCommand(['backup', '--to', '-'], settings);
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(0);
    expect([...(await unpack(Buffer.concat(pieces))).keys()].at(-1)).toBe('SHA256SUMS');
  });

  test('to a program, with its arguments as they are and without our settings', async () => {
    const file = join(await folder(), 'sent');
    const script = 'env > "$1.env"; cat > "$1"; echo "$2"';
    const args = ['backup', '--', 'sh', '-c', script, 'sh', file, '--help $HOME'];
    const sent = await runCommand(args, settings);
    expect(sent).toMatchObject({ code: 0, error: '--help $HOME\n' });
    expect(sent.out).toMatch(/^The backup was sent: /);
    expect([...(await unpack(await readFile(file))).keys()].at(-1)).toBe('SHA256SUMS');
    expect(await readFile(`${file}.env`, 'utf8')).not.toMatch(/SIGNALBOX_|PGPASS/);
  });

  test.each([
    [['sh', '-c', 'cat > /dev/null; exit 3'], 'sh has ended with exit code 3, so there is no'],
    [['no-such-program'], 'no-such-program cannot be started'],
    [['true'], 'true has ended before it had read the backup.'],
  ])('says that %j has not taken it', async (program, words) => {
    // Larger than what a pipe holds.
    const large = join(server.dataDir, 'repositories', 'site', 'large');
    await writeFile(large, randomBytes(1_000_000));
    const { code, out, error } = await runCommand(['backup', '--', ...program], settings);
    expect([code, out, error]).toEqual([1, '', expect.stringContaining(words)]);
  });
});

test('says what is wrong with a command', async () => {
  const to = await folder();
  const cases: [args: string[], settings: Settings, words: string][] = [
    [[], {}, 'Say where the backup goes'],
    [['--to', to, '--', 'cat'], {}, 'Say where the backup goes'],
    [['--to', join(to, 'none')], {}, `There is no folder ${join(to, 'none')}. Make it first.`],
    [['somewhere'], {}, "Unexpected argument 'somewhere'"],
    [
      ['--to', to],
      { SIGNALBOX_MASTER_KEY: randomBytes(32).toString('base64') },
      'The master key is not the one',
    ],
  ];
  if (ownEngine === 'sqlite') {
    const empty = await folder();
    cases.push([['--to', to], { SIGNALBOX_DATA_DIR: empty }, 'There is no database']);
  } else {
    cases.push([['--to', to], { PATH: to }, 'pg_dump is not installed, or not on the PATH.']);
    const older = await folder();
    await writeFile(join(older, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6.1"\n');
    await chmod(join(older, 'pg_dump'), 0o755);
    const path = `${older}:${process.env['PATH'] ?? ''}`;
    cases.push([['--to', to], { PATH: path }, 'pg_dump is of version 9, and the database server']);
    const nobody = { SIGNALBOX_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' };
    cases.push([['--to', to], nobody, 'cannot be reached']);
  }
  for (const [args, more, words] of cases) {
    const { code, out, error } = await runInside(['backup', ...args], { ...settings, ...more });
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(words);
    expect(error).not.toMatch(/^\s+at /m);
  }
  await nothingLeft(to);
});

test('a full disk is named, and nothing is left there', async () => {
  const disk = await smallDisk(1);
  await writeFile(join(disk, 'ballast'), randomBytes(600_000));
  const { code, out, error } = await runInside(['backup', '--to', disk], settings);
  expect([code, out]).toEqual([1, '']);
  expect(error).toContain(`The disk of ${disk} has no room for the backup, and nothing was left`);
  expect(await readdir(disk)).toEqual(['ballast']);
});

test('one that was killed leaves no backup, and its files go with the next one', async () => {
  const to = await folder();
  const db = openDatabase(
    settings['SIGNALBOX_DATABASE_URL'] ?? `sqlite:${server.dataDir}/signalbox.db`,
  );
  onTestFinished(() => db.destroy());
  const value = randomBytes(3_000_000).toString('base64');
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await db.insertInto('settings').values({ name, value }).execute();
  }
  const killed = startCommand(['backup', '--to', to], settings);
  const isAtWork = async (): Promise<boolean> => {
    const [work] = await readdir(to);
    return work !== undefined && (await readdir(join(to, work))).includes('archive');
  };
  await until(isAtWork);
  const other = await runInside(['backup', '--to', to], settings);
  killed.kill('SIGKILL');
  await new Promise((resolve) => killed.once('close', resolve));
  expect(other.error).toBe('Another backup of this installation is being made.\n');
  expect(await readdir(to)).toEqual([expect.stringMatching(/^\.signalbox-backup-/)]);
  const next = await runInside(['backup', '--to', to], settings);
  expect([next.code, next.error]).toEqual([0, '']);
  expect(await readdir(to)).toEqual([expect.stringMatching(/^signalbox-.*\.tar\.zst$/)]);
});
