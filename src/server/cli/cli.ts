// `signalbox <command>`: the server, and what administrators do beside it. Each command loads its
// own parts only: most of them need little of the server, and are done before it would be loaded.

import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { version } from '../system/version.ts';
import { failureWords, UsageError } from './failure-words.ts';
import { ownProcess, print, printError, type Surroundings } from './surroundings.ts';

const usage = `Signalbox ${version}

signalbox server                     start the server (also without a command)
signalbox user list                  list all logins
signalbox user get                   --login L | --email E
signalbox user add                   --login L --name N --email E --password P [--admin]
signalbox user change-by-login       --login L [--name N] [--email E] [--password P] [--admin]
signalbox user change-by-email       --email E [--name N] [--login L] [--password P] [--admin]
signalbox user delete                --login L | --email E
signalbox user unlock                L: forget the wrong attempts to sign in as L
signalbox user remove-second-factor  L: ask L for the password only
signalbox migrate                    bring the database to the newest form
signalbox migrate --from sqlite      move everything from the data folder's SQLite database (or from
                                     another: sqlite:FILE) to the one of SIGNALBOX_DATABASE_URL
signalbox keys rotate                make a new master key and seal all secrets with it
signalbox version                    print the version

A password can also come from standard input: --password -`;

/** Runs a command; answers the exit code. */
export async function runCli(argv: string[], at: Surroundings = ownProcess): Promise<number> {
  try {
    return await dispatch(at, argv);
  } catch (error) {
    const words = failureWords(error);
    if (words === null) throw error;
    printError(at, words);
    return 1;
  }
}

async function dispatch(
  at: Surroundings,
  [command = 'server', ...rest]: string[],
): Promise<number> {
  switch (command) {
    case 'server':
      return (await import('./server.ts')).runServer(at);
    case 'user':
      return runUser(at, rest);
    case 'keys':
      return runKeys(at, rest);
    case 'migrate':
      return runMigrate(at, rest);
    case 'version':
    case '--version':
      print(at, version);
      return 0;
    case 'help':
    case '--help':
    case '-h':
      print(at, usage);
      return 0;
    default:
      throw new UsageError(`There is no command "${command}".\n\n${usage}`);
  }
}

async function withContext(
  { environment, errors }: Surroundings,
  work: (ctx: Context) => Promise<void>,
): Promise<number> {
  const config = loadConfig(environment);
  const [{ openContext }, { createLog }] = await Promise.all([
    import('../open-context.ts'),
    import('../log.ts'),
  ]);
  const ctx = await openContext({ config, log: createLog(config.logLevel, errors) });
  try {
    await work({ ...ctx, by: { ...ctx.by, via: 'cli' } });
    return 0;
  } finally {
    await ctx.close();
  }
}

async function runMigrate(at: Surroundings, args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { from: { type: 'string' } } });
  if (values.from !== undefined) return (await import('./move.ts')).moveFrom(at, values.from);
  return withContext(at, () => {
    print(at, 'The database is up to date.');
    return Promise.resolve();
  });
}

async function runKeys(at: Surroundings, [name = '']: string[]): Promise<number> {
  if (name !== 'rotate') throw new UsageError(`There is no command "keys ${name}".\n\n${usage}`);
  const { rotateMasterKey } = await import('../keys/rotate.ts');
  return withContext(at, async (ctx) => {
    const count = await rotateMasterKey(ctx);
    print(
      at,
      `The master key is a new one. Sealed anew: ${count}. The old key opens nothing more.`,
    );
  });
}

async function runUser(at: Surroundings, [name = '', ...args]: string[]): Promise<number> {
  const { userCommands } = await import('./user.ts');
  const command = Object.hasOwn(userCommands, name) ? userCommands[name] : undefined;
  if (!command) throw new UsageError(`There is no command "user ${name}".\n\n${usage}`);
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: command.takesLogin ?? false,
    options: {
      login: { type: 'string' },
      name: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
      admin: { type: 'boolean' },
    },
  });
  const [login = values.login, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`There is one login too many: ${more.join(' ')}`);
  return withContext(at, (ctx) => command.run(ctx, { ...values, login }, at));
}
