// `signalbox <command>`: the server, and what administrators do beside it.

import { parseArgs } from 'node:util';
import { ConfigError, loadConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { createLog } from '../log.ts';
import { rotateMasterKey } from '../keys/rotate.ts';
import { openContext } from '../app.ts';
import { version } from '../system/version.ts';
import { moveFrom } from './move.ts';
import { print, printError } from './print.ts';
import { runServer } from './server.ts';
import { userCommands, type UserCommand } from './user.ts';

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

/** Something wrong with the command line itself. */
export class UsageError extends Error {}

/** Runs a command; answers the exit code. */
export async function runCli(argv: string[]): Promise<number> {
  try {
    return await dispatch(argv);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof AppError || isUsage(error)) {
      const [field] = error instanceof AppError ? error.fields : [];
      printError(field ? `${field.path}: ${field.message}` : (error as Error).message);
      return 1;
    }
    throw error;
  }
}

function isUsage(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS');
}

async function dispatch([command = 'server', ...rest]: string[]): Promise<number> {
  switch (command) {
    case 'server':
      return runServer();
    case 'user':
      return runUser(rest);
    case 'keys':
      return runKeys(rest);
    case 'migrate':
      return runMigrate(rest);
    case 'version':
    case '--version':
      print(version);
      return 0;
    case 'help':
    case '--help':
    case '-h':
      print(usage);
      return 0;
    default:
      throw new UsageError(`There is no command "${command}".\n\n${usage}`);
  }
}

async function withContext(
  work: (ctx: Awaited<ReturnType<typeof openContext>>) => Promise<void>,
): Promise<number> {
  const config = loadConfig();
  const ctx = await openContext({ config, log: createLog(config.logLevel) });
  try {
    await work({ ...ctx, by: { ...ctx.by, via: 'cli' } });
    return 0;
  } finally {
    await ctx.close();
  }
}

async function runMigrate(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { from: { type: 'string' } } });
  if (values.from !== undefined) return moveFrom(values.from);
  return withContext(() => {
    print('The database is up to date.');
    return Promise.resolve();
  });
}

async function runKeys([name = '']: string[]): Promise<number> {
  if (name !== 'rotate') throw new UsageError(`There is no command "keys ${name}".\n\n${usage}`);
  return withContext(async (ctx) => {
    const count = await rotateMasterKey(ctx);
    print(`The master key is a new one. Sealed anew: ${count}. The old key opens nothing more.`);
  });
}

async function runUser([name = '', ...args]: string[]): Promise<number> {
  const command: UserCommand | undefined = Object.hasOwn(userCommands, name)
    ? userCommands[name]
    : undefined;
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
  return withContext((ctx) => command.run(ctx, { ...values, login }));
}
