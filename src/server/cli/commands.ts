// The table of all commands. The code of a command is imported lazily.

import type { ParseArgsConfig } from 'node:util';
import type { Upgrade } from '../administration/upgrade/upgrade.ts';
import type { Context } from '../context/context.ts';
import { version } from '../../node/process/version.ts';
import { print, UsageError, type Surroundings } from './surroundings.ts';
import type { BackupFlags } from './backup.ts';
import type { RestoreFlags } from './restore.ts';
import type { UserFlags } from './user.ts';

export interface Command {
  name: string;
  takes: string;
  about: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** Whether a positional login is accepted. */
  takesLogin?: boolean;
  /** Whether a program may follow `--`. */
  takesProgram?: boolean;
  /** Returns the exit code. */
  run: (at: Surroundings, given: CommandArguments) => Promise<number>;
}

export interface CommandArguments {
  flags: UserFlags & BackupFlags & RestoreFlags;
  positionals: string[];
  /** The arguments after `--`. */
  program: string[];
}

const takesLogin = true;
const text = { type: 'string' } as const;
const noValue = { type: 'boolean' } as const;
const whom = { login: text, email: text };
const person = { ...whom, name: text, password: text, admin: noValue } as const;

const changes = (...flags: string[]): string => flags.map((flag) => `[--${flag}]`).join(' ');
const fromInput = 'A password of "-" is read from standard input.';

export const commands: Command[] = [
  {
    name: 'server',
    takes: '',
    about: 'Start the server; this is also what signalbox does without a command.',
    options: {},
    run: async (at) => (await import('./server.ts')).runServer(at),
  },
  userCommand('list', '', 'List all logins.', {}),
  userCommand('get', '--login L | --email E', 'Show a user.', whom),
  userCommand(
    'add',
    '--login L --name N --email E --password P [--admin]',
    `Add a user. ${fromInput}`,
    person,
  ),
  userCommand(
    'change-by-login',
    `--login L ${changes('name N', 'email E', 'password P', 'admin')}`,
    `Change the user with this login. ${fromInput}`,
    person,
  ),
  userCommand(
    'change-by-email',
    `--email E ${changes('name N', 'login L', 'password P', 'admin')}`,
    `Change the user with this e-mail address. ${fromInput}`,
    person,
  ),
  userCommand('delete', '--login L | --email E', 'Delete a user.', whom),
  { ...userCommand('unlock', 'L', 'Forget the wrong attempts to sign in as L.', whom), takesLogin },
  {
    ...userCommand('remove-second-factor', 'L', 'Ask L for the password only.', whom),
    takesLogin,
  },
  {
    name: 'migrate',
    takes: '[--from sqlite | --from sqlite:FILE]',
    about:
      'Bring the database to the newest form. With --from, move everything from the SQLite database of the data folder, or from FILE, to the database of SIGNALBOX_DATABASE_URL.',
    options: { from: text },
    async run(at, { flags: { from } }) {
      if (from !== undefined) return (await import('./move.ts')).moveFrom(at, from);
      return withContext(at, async (_ctx, upgrade) => {
        const { wordsOf } = await import('../administration/upgrade/upgrade.ts');
        for (const line of upgrade ? wordsOf(upgrade) : []) print(at, line);
        print(at, 'The database is up to date.');
      });
    },
  },
  {
    name: 'backup',
    takes: '--to FOLDER | --to - | -- PROGRAM ARGUMENTS [--key-to FILE]',
    about:
      'Make a backup of the whole installation, also while its server runs: in FOLDER, on standard output, or on the standard input of PROGRAM, which no shell reads. The master key is not part of it; --key-to writes it to FILE. Options stand before "--".',
    options: { to: text, 'key-to': text },
    takesProgram: true,
    run: async (at, { flags, program }) => (await import('./backup.ts')).backUp(at, flags, program),
  },
  {
    name: 'restore',
    takes: '--from FILE | --from - [--key FILE] [--replace] [--drill]',
    about:
      'Restore a whole installation from a backup, in FILE or on standard input, into an empty data folder and, with SIGNALBOX_DATABASE_URL, an empty database. --key names the file with the master key. --replace sets aside what is there. With --drill nothing happens by itself afterwards: all schedules are off, and no task or alert waits.',
    options: { from: text, key: text, replace: noValue, drill: noValue },
    run: async (at, { flags }) => (await import('./restore.ts')).restore(at, flags),
  },
  {
    name: 'keys rotate',
    takes: '',
    about: 'Make a new master key and seal all secrets with it.',
    options: {},
    run: runRotation,
  },
  {
    name: 'version',
    takes: '',
    about: 'Print the version.',
    options: {},
    run(at) {
      print(at, version);
      return Promise.resolve(0);
    },
  },
];

function userCommand(
  name: string,
  takes: string,
  about: string,
  options: Command['options'],
): Command {
  return {
    name: `user ${name}`,
    takes,
    about,
    options,
    async run(at, { flags, positionals }) {
      const { userCommands } = await import('./user.ts');
      const command = userCommands[name];
      if (!command) throw new Error(`user ${name} is listed, and nothing runs it`);
      const [login = flags.login, ...more] = positionals;
      if (more.length > 0) throw new UsageError(`There is one login too many: ${more.join(' ')}`);
      return withContext(at, (ctx) => command(ctx, { ...flags, login }, at));
    },
  };
}

async function runRotation(at: Surroundings): Promise<number> {
  const { rotateMasterKey } = await import('../administration/installation/rotate-master-key.ts');
  return withContext(at, async (ctx) => {
    const count = await rotateMasterKey(ctx);
    print(
      at,
      `The master key is a new one. Sealed again: ${count}. The old key opens nothing more.`,
    );
  });
}

async function withContext(
  { environment, errors }: Surroundings,
  work: (ctx: Context, upgrade: Upgrade | null) => Promise<void>,
): Promise<number> {
  const [{ loadWholeConfig }, { openContext }, { createLog }] = await Promise.all([
    import('../config/config.ts'),
    import('../open-context.ts'),
    import('../../node/log/log.ts'),
  ]);
  const config = await loadWholeConfig(environment);
  const ctx = await openContext({ config, log: createLog(config.logLevel, errors) });
  try {
    await work({ ...ctx, by: { ...ctx.by, via: 'cli' } }, ctx.upgrade);
    return 0;
  } finally {
    await ctx.close();
  }
}
