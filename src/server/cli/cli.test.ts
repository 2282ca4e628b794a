// Starts the real program: few times, because every start takes a moment.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  runCommand as run,
  startCommand,
  type Ended,
  type Settings,
} from '../../../test/helpers/command.ts';
import { codeOf } from '../../../test/helpers/second-factor.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { settingsOf } from '../../../test/helpers/server.ts';
import { until } from '../../../test/helpers/until.ts';
import { version } from '../system/version.ts';

const flags = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);

const anna = { login: 'Anna', name: 'Anna A', email: 'anna@example.com', password: ' a space ' };

interface Server {
  address: string;
  signIn: (auth: string, password: string) => Promise<Response>;
  stop: () => Promise<Ended>;
}

async function serve(settings: Settings): Promise<Server> {
  const child = startCommand(['server'], { SIGNALBOX_PORT: '0', ...settings });
  let out = '';
  let error = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (error += String(chunk)));
  const address = await until(() => {
    if (child.exitCode !== null) throw new Error(`The server ended: ${error}`);
    return /Signalbox is ready: (http\S+)/.exec(out)?.[1];
  });
  return {
    address,
    signIn: (auth, password) =>
      fetch(`${address}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ auth, password }),
      }),
    async stop() {
      child.kill('SIGTERM');
      const code = await until(() => child.exitCode !== null && [child.exitCode]);
      return { code: code[0] ?? null, out, error };
    },
  };
}

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

// Each command is a process that starts.
describe('the command line', { timeout: 180_000 }, () => {
  test('manages users, beside a running server', async () => {
    const settings = await settingsOf(await folder());
    const server = await serve({
      ...settings,
      SIGNALBOX_ADMIN_LOGIN: 'boss',
      SIGNALBOX_ADMIN_PASSWORD: 'the first one',
    });
    const user = (...args: string[]) => run(['user', ...args], settings);

    const added = await user('add', ...flags(anna));
    expect(added).toEqual({ code: 0, out: 'User anna <anna@example.com> added!\n', error: '' });
    expect((await server.signIn('anna', ' a space ')).status).toBe(204);

    const twice = await user('add', ...flags({ ...anna, email: 'other@example.com' }));
    expect(twice).toEqual({ code: 1, out: '', error: 'The username "anna" is taken.\n' });

    expect((await user('list')).out).toBe('anna\nboss\n');
    const shown = await user('get', '--email', 'ANNA@example.com');
    expect(shown.out).toMatch(
      /^ID: \d+\nCreated: \S+Z\nLogin: anna\nName: Anna A\nEmail: anna@example.com\nAdmin: false\n$/,
    );

    const before = cookieOf(await server.signIn('anna@example.com', ' a space '));
    const asAnna = () => fetch(`${server.address}/api/user`, { headers: { cookie: before } });
    expect((await asAnna()).status).toBe(200);
    const changed = await run(
      ['user', 'change-by-login', '--login', 'anna', '--admin', '--password', '-'],
      settings,
      'from a pipe \n',
    );
    expect(changed).toEqual({ code: 0, out: 'User anna changed.\n', error: '' });
    expect((await asAnna()).status).toBe(401);
    expect((await server.signIn('anna', ' a space ')).status).toBe(401);
    expect((await server.signIn('anna', 'from a pipe ')).status).toBe(204);

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
    expect((await server.signIn('anne', 'from a pipe ')).status).toBe(204);

    expect(await user('delete', '--login', 'anne')).toMatchObject({ code: 0 });
    expect(await user('delete', '--email', 'admin@localhost')).toEqual({
      code: 1,
      out: '',
      error: 'This is the last administrator. Make another one first.\n',
    });
    expect(await user('get', '--login', 'anne')).toMatchObject({
      code: 1,
      error: 'This user does not exist.\n',
    });
    const ended = await server.stop();
    expect([ended.code, ended.error]).toEqual([0, '']);
    expect(ended.out).toContain('First administrator: boss\n');
    expect(ended.out).not.toContain('the first one');
  });

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
        /^password: Many people use this password, so it is guessed first\. Choose another one\n$/,
      ],
      [
        ['user', 'add', ...flags({ ...anna, password: 'this is Anna' })],
        /^password: Choose a password that does not contain the username\n$/,
      ],
      [['user', 'list', '--all'], /^Unknown option '--all'/],
      [['user', 'list', 'all'], /^Unexpected argument 'all'/],
      [['user', 'unlock'], /^Argument --login required\n$/],
      [['user', 'unlock', 'one', 'two'], /^There is one login too many: two\n$/],
      [['user', 'unlock', 'nobody'], /^This user does not exist\.\n$/],
      [['user', 'constructor'], /^There is no command "user constructor"\.\n\nSignalbox /],
      [['explode'], /^There is no command "explode"\.\n\nSignalbox .*\n\nsignalbox server/],
    ];
    const answers = await Promise.all(cases.map(([args]) => run(args, settings)));
    for (const [index, { code, out, error }] of answers.entries()) {
      expect([cases[index]?.[0], code, out]).toEqual([cases[index]?.[0], 1, '']);
      expect(error).toMatch(cases[index]?.[1] ?? /^$/);
      expect(error).not.toMatch(/^\s+at /m);
    }
  });

  test('lets administrators in who locked themselves out', async () => {
    const settings = await settingsOf(await folder());
    const admin = { SIGNALBOX_ADMIN_LOGIN: 'boss', SIGNALBOX_ADMIN_PASSWORD: 'the first one' };
    const server = await serve({ ...settings, ...admin });
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await server.signIn('boss', 'a guess')).status);
    }
    expect(statuses.slice(-2)).toEqual([401, 429]);
    expect((await server.signIn('boss', 'the first one')).status).toBe(429);
    const unlocked = await run(['user', 'unlock', 'boss'], settings);
    expect(unlocked).toEqual({ code: 0, out: 'User boss unlocked.\n', error: '' });
    const signedIn = await server.signIn('boss', 'the first one');
    expect(signedIn.status).toBe(204);

    const ask = async (path: string, body: object): Promise<Record<string, string>> => {
      const headers = { cookie: cookieOf(signedIn), 'content-type': 'application/json' };
      const url = `${server.address}/api/user/second_factor${path}`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, string>;
    };
    const { secret = '' } = await ask('', {});
    await ask('/confirm', { code: codeOf(secret, new Date()), password: 'the first one' });
    expect((await server.signIn('boss', 'the first one')).status).toBe(401);
    const removed = await run(['user', 'remove-second-factor', '--login', 'BOSS'], settings);
    expect(removed.error).toBe('');
    expect(removed.out).toBe('User boss signs in without a second factor now.\n');
    expect((await server.signIn('boss', 'the first one')).status).toBe(204);
    const again = ['unlock', 'remove-second-factor'].map((name) =>
      run(['user', name, 'boss'], settings),
    );
    const told = (await Promise.all(again)).map(({ out, error }) => out + error);
    expect(told).toEqual(['User boss is not locked.\n', 'There is no second factor.\n']);
    expect((await server.stop()).code).toBe(0);
  });

  test('does not make a first administrator whose password would be guessed', async () => {
    const refused = await run(['server'], {
      ...(await settingsOf(await folder())),
      SIGNALBOX_ADMIN_PASSWORD: 'Admin1234',
    });
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.error).toBe(
      'SIGNALBOX_ADMIN_PASSWORD holds a value that is hidden here, but cannot be a password here: ' +
        'Many people use this password, so it is guessed first. Choose another one.\n',
    );
  });

  test('prints version and usage without touching anything', async () => {
    const settings = { SIGNALBOX_DATA_DIR: '/proc/nowhere' };
    const [shown, help] = await Promise.all([run(['version'], settings), run(['help'], settings)]);
    expect(shown).toEqual({ code: 0, out: `${version}\n`, error: '' });
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('signalbox user add')]);
  });

  test('refuses settings in one line that names them and hides secrets', async () => {
    const dataDir = await folder();
    const wrongKey = await run(['server'], {
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
    const first = await run(['migrate'], { ...settings, SIGNALBOX_MASTER_KEY_FILE: keys[0] ?? '' });
    expect(first).toEqual({ code: 0, out: 'The database is up to date.\n', error: '' });
    const other = await run(['server'], { ...settings, SIGNALBOX_MASTER_KEY_FILE: keys[1] ?? '' });
    expect([other.code, other.out]).toEqual([1, '']);
    expect(other.error).toMatch(/^The master key is not the one that this database.*\.\n$/);
  });
});
