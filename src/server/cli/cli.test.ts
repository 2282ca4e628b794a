// Slow: servers and commands are started as processes of their own.
// Most commands run in this process; a few run as processes of their own, to test the program.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runInside, type Ended, type Settings } from '../../../test/helpers/command.ts';
import { codeOf } from '../../../test/helpers/second-factor.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { settingsOf, startServer, type TestServer } from '../../../test/helpers/server.ts';
import { version } from '../../node/process/version.ts';
import { commands } from './commands.ts';

const flags = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);

const anna = { login: 'Anna', name: 'Anna A', email: 'anna@example.com', password: ' a space ' };

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

describe('beside a running server', () => {
  let server: TestServer;
  let settings: Settings;

  beforeAll(async () => {
    const env = { SIGNALBOX_ADMIN_LOGIN: 'boss', SIGNALBOX_ADMIN_PASSWORD: 'the first one' };
    server = await startServer({ env });
    settings = await settingsOf(server.dataDir);
  }, 120_000);
  afterAll(() => server.stop());

  const signIn = (auth: string, password: string): Promise<Response> =>
    fetch(`${server.address}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // The empty code asks whether one is needed.
      body: JSON.stringify({ auth, password, code: '' }),
    });
  const user = (...args: string[]): Promise<Ended> => runInside(['user', ...args], settings);

  test('the program runs commands, and takes a password from a pipe', async () => {
    const add = (email: string): Promise<Ended> => {
      const bert = flags({ login: 'Bert', name: 'B', email, password: '-' });
      return runCommand(['user', 'add', ...bert], settings, 'from a pipe \n');
    };
    const added = await add('bert@example.com');
    expect(added).toEqual({ code: 0, out: 'User Bert <bert@example.com> added!\n', error: '' });
    expect((await signIn('bert', 'from a pipe ')).status).toBe(204);
    const twice = await add('other@example.com');
    expect(twice).toEqual({
      code: 1,
      out: '',
      error: 'The username "Bert" is taken. Choose another one.\n',
    });
    expect(await user('delete', '--login', 'bert')).toMatchObject({ code: 0 });
  });

  test('manages users', async () => {
    const added = await user('add', ...flags(anna));
    expect(added).toEqual({ code: 0, out: 'User Anna <anna@example.com> added!\n', error: '' });
    expect((await signIn('anna', ' a space ')).status).toBe(204);

    const twice = await user('add', ...flags({ ...anna, email: 'other@example.com' }));
    expect(twice).toEqual({
      code: 1,
      out: '',
      error: 'The username "Anna" is taken. Choose another one.\n',
    });

    expect((await user('list')).out).toBe('Anna\nboss\n');
    const shown = await user('get', '--email', 'ANNA@example.com');
    expect(shown.out).toMatch(
      /^ID: \d+\nCreated: \S+Z\nLogin: Anna\nName: Anna A\nEmail: anna@example.com\nAdmin: false\n$/,
    );

    const before = cookieOf(await signIn('anna@example.com', ' a space '));
    const asAnna = () => fetch(`${server.address}/api/user`, { headers: { cookie: before } });
    expect((await asAnna()).status).toBe(200);
    const changed = await runInside(
      ['user', 'change-by-login', '--login', 'anna', '--admin', '--password', '-'],
      settings,
      'from a pipe \n',
    );
    expect(changed).toEqual({ code: 0, out: 'User Anna changed.\n', error: '' });
    expect((await asAnna()).status).toBe(401);
    expect((await signIn('anna', ' a space ')).status).toBe(401);
    expect((await signIn('anna', 'from a pipe ')).status).toBe(204);

    for (const empty of [
      ['--name', ''],
      ['--password', ''],
      ['--email', ' '],
    ]) {
      expect(await user('change-by-login', '--login', 'anna', ...empty)).toEqual({
        code: 1,
        out: '',
        error: `Argument ${empty[0]} required\n`,
      });
    }
    const renamed = await user('change-by-email', '--email', anna.email, '--login', 'Anne');
    expect(renamed.code).toBe(0);
    expect((await user('get', '--login', 'anne')).out).toContain('Admin: true');
    expect((await signIn('anne', 'from a pipe ')).status).toBe(204);

    expect(await user('delete', '--login', 'anne')).toMatchObject({ code: 0 });
    expect(await user('delete', '--email', 'admin@localhost')).toEqual({
      code: 1,
      out: '',
      error: 'This is the last administrator. Make another user an administrator first.\n',
    });
    expect(await user('get', '--login', 'anne')).toMatchObject({
      code: 1,
      error: 'This user does not exist.\n',
    });
  });

  test('lets administrators in who locked themselves out', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await signIn('boss', 'a guess')).status);
    }
    expect(statuses.slice(-2)).toEqual([401, 429]);
    expect((await signIn('boss', 'the first one')).status).toBe(429);
    const unlocked = await user('unlock', 'boss');
    expect(unlocked).toEqual({ code: 0, out: 'User boss unlocked.\n', error: '' });
    const signedIn = await signIn('boss', 'the first one');
    expect(signedIn.status).toBe(204);

    const ask = async (path: string, body: object): Promise<Record<string, string>> => {
      const headers = { cookie: cookieOf(signedIn), 'content-type': 'application/json' };
      const url = `${server.address}/api/user/second_factor${path}`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, string>;
    };
    const { secret = '' } = await ask('', {});
    await ask('/confirm', { code: codeOf(secret, new Date()), password: 'the first one' });
    expect((await signIn('boss', 'the first one')).status).toBe(401);
    const removed = await user('remove-second-factor', '--login', 'BOSS');
    expect(removed.error).toBe('');
    expect(removed.out).toBe('User boss signs in without a second factor now.\n');
    expect((await signIn('boss', 'the first one')).status).toBe(204);
    const again = ['unlock', 'remove-second-factor'].map((name) => user(name, 'boss'));
    const told = (await Promise.all(again)).map(({ out, error }) => out + error);
    expect(told).toEqual(['User boss is not slowed down.\n', 'No second factor is set up.\n']);
  });

  // This test is the last one, since it ends the server of the others.
  test('the server ends on a signal, and has told of its first administrator', async () => {
    expect(await server.end('SIGTERM')).toBe(0);
    const complaints = server.printedErrors().split('\n').filter(Boolean);
    // The server also logs when a busy machine has delayed it.
    const isOurs = (line: string) => /"msg":"(?:sign-in failed|event loop blocked)/.test(line);
    expect(complaints.filter((line) => !isOurs(line))).toEqual([]);
    expect(server.printed()).toContain('First administrator: boss\n');
    expect(server.printed()).not.toContain('the first one');
  });
});

describe('without a server', () => {
  test('says what is wrong with a command, in one line or with the usage', async () => {
    const settings = await settingsOf(await folder());
    const cases: [args: string[], error: RegExp][] = [
      [['user', 'add', '--name', 'A'], /^Argument --login required\n$/],
      [['user', 'add', ...flags({ ...anna, password: '' })], /^Argument --password required\n$/],
      [
        ['user', 'add', ...flags({ ...anna, password: '7 signs' })],
        /^password: Use at least 8 characters\n$/,
      ],
      [
        ['user', 'add', ...flags({ ...anna, password: 'Password123' })],
        /^password: Many people use this password, so it is easy to guess\. Choose another one\n$/,
      ],
      [
        ['user', 'add', ...flags({ ...anna, password: 'this is Anna' })],
        /^password: Choose a password that does not contain the username\n$/,
      ],
      [['user', 'list', '--all'], /^Unknown option '--all'/],
      [['user', 'list', '--login', 'anna'], /^Unknown option '--login'/],
      [['server', '--port', '80'], /^Unknown option '--port'/],
      [['--port', '80'], /^Unknown option '--port'/],
      [['server', 'now'], /^Unexpected argument 'now'/],
      [['keys', 'rotate', '--all'], /^Unknown option '--all'/],
      [['keys', 'rotate', 'twice'], /^Unexpected argument 'twice'/],
      [['migrate', 'now'], /^Unexpected argument 'now'/],
      [['version', '--all'], /^Unknown option '--all'/],
      [['keys'], /^There is no command "keys"\.\n\nSignalbox /],
      [['usr', 'list'], /^There is no command "usr"\./],
      [['sever'], /^There is no command "sever"\. Did you mean "server"\?\n/],
      [
        ['user', 'unlok', 'anna'],
        /^There is no command "user unlok"\. Did you mean "user unlock"\?/,
      ],
      [['help', 'nothing'], /^There is no command "nothing"\./],
      [['user', 'list', 'all'], /^Unexpected argument 'all'/],
      [['user', 'unlock'], /^Argument --login required\n$/],
      [['user', 'unlock', 'one', 'two'], /^There is one login too many: two\n$/],
      [['user', 'unlock', 'nobody'], /^This user does not exist\.\n$/],
      [['user', 'constructor'], /^There is no command "user constructor"\.\n\nSignalbox /],
      [['explode'], /^There is no command "explode"\.\n\nSignalbox .*\n\nsignalbox server/],
    ];
    const answers = await Promise.all(cases.map(([args]) => runInside(args, settings)));
    for (const [index, { code, out, error }] of answers.entries()) {
      expect([cases[index]?.[0], code, out]).toEqual([cases[index]?.[0], 1, '']);
      expect(error).toMatch(cases[index]?.[1] ?? /^$/);
      expect(error).not.toMatch(/^\s+at /m);
    }
  });

  test('every command has help, which does nothing else', async () => {
    const settings = { SIGNALBOX_DATA_DIR: '/proc/nowhere' };
    for (const { name, takes, about } of commands) {
      const expected = { code: 0, out: `signalbox ${name} ${takes}`.trimEnd(), error: '' };
      for (const args of [
        [...name.split(' '), '--help'],
        ['help', ...name.split(' ')],
      ]) {
        const { out, ...shown } = await runInside(args, settings);
        expect({ ...shown, out: out.split('\n')[0] }).toEqual(expected);
        expect(out).toContain(about);
      }
    }
    const all = await runInside(['--help'], settings);
    for (const { name } of commands) expect(all.out).toContain(`signalbox ${name}`);
    const ofUsers = await runInside(['user', '-h'], settings);
    expect(ofUsers.out).toContain('signalbox user unlock L');
    expect(ofUsers.out).not.toContain('signalbox server\n');
  });

  test('does not make a first administrator whose password would be guessed', async () => {
    const refused = await runInside(['server'], {
      ...(await settingsOf(await folder())),
      SIGNALBOX_ADMIN_PASSWORD: 'Admin1234',
    });
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.error).toBe(
      'SIGNALBOX_ADMIN_PASSWORD holds a value that is hidden here, but cannot be a password here: ' +
        'Many people use this password, so it is easy to guess. Choose another one.\n',
    );
  });

  test('prints version and usage without touching anything', async () => {
    const settings = { SIGNALBOX_DATA_DIR: '/proc/nowhere' };
    const shown = await runCommand(['version'], settings);
    expect(shown).toEqual({ code: 0, out: `${version}\n`, error: '' });
    const help = await runInside(['help'], settings);
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('signalbox user add')]);
  });

  test('refuses settings in one line that names them and hides secrets', async () => {
    const dataDir = await folder();
    const wrongKey = await runInside(['server'], {
      ...(await settingsOf(dataDir)),
      SIGNALBOX_MASTER_KEY: 'hunter2',
    });
    expect([wrongKey.code, wrongKey.out]).toEqual([1, '']);
    expect(wrongKey.error).toMatch(/^SIGNALBOX_MASTER_KEY holds a value that is hidden here.*\n$/);
  });

  test('refuses to start with another master key, given by file or by a file of settings', async () => {
    const dataDir = await folder();
    const keys = ['one', 'two'].map((name) => join(dataDir, name));
    for (const [index, path] of keys.entries()) {
      await writeFile(path, `${Buffer.alloc(32, index + 1).toString('base64')}\n`);
    }
    const file = join(dataDir, 'settings.yml');
    const lines = Object.entries(await settingsOf(dataDir)).map(
      ([name, value]) => `${name}: ${value}`,
    );
    await writeFile(file, `${lines.join('\n')}\n`);
    const settings = { SIGNALBOX_CONFIG: file };
    const first = await runInside(['migrate'], {
      ...settings,
      SIGNALBOX_MASTER_KEY_FILE: keys[0] ?? '',
    });
    expect(first).toEqual({ code: 0, out: 'The database is up to date.\n', error: '' });
    const other = await runInside(['server'], {
      ...settings,
      SIGNALBOX_MASTER_KEY_FILE: keys[1] ?? '',
    });
    expect([other.code, other.out]).toEqual([1, '']);
    expect(other.error).toMatch(/^The master key is not the one that this database.*\.\n$/);
  });
});
