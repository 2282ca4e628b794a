// Runs pg_dump and pg_restore. The password is passed in a file that only its owner reads.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool, type ToolResult } from '../../../runner/programs/process.ts';
import { ConfigError } from '../../../node/config-error.ts';

export interface DatabaseAddress {
  url: string;
  /** The PATH of the programs. */
  path: string;
  /** A private folder for the password file. */
  folder: string;
}

type Program = 'pg_dump' | 'pg_restore';

/** libpq variables of the query parameters of an address. */
const variables: Record<string, string> = {
  application_name: 'PGAPPNAME',
  host: 'PGHOST',
  options: 'PGOPTIONS',
  port: 'PGPORT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  user: 'PGUSER',
};

/** Throws a ConfigError with the program's message on failure. */
export async function runPostgres(
  { url, path, folder }: DatabaseAddress,
  program: Program,
  args: string[],
): Promise<ToolResult> {
  const env = { PATH: path, LC_ALL: 'C.UTF-8', ...(await connection(url, folder)) };
  const outputLimit = 64 * 1024 * 1024;
  const result = await runTool({ command: program, args, cwd: folder, env, outputLimit });
  if (result.exitCode === 0) return result;
  if (result.failure !== null || result.exitCode === 127) throw missing(program);
  const words = result.stderr.trim().split('\n').slice(-3).join(' ');
  throw new ConfigError(`${program} has failed: ${words || 'it was ended by a signal'}`);
}

/** The major version of the program. */
export async function versionOf(place: DatabaseAddress, program: Program): Promise<number> {
  const { stdout } = await runPostgres(place, program, ['--version']);
  return Number(/\b(\d+)(?:\.|\b)/.exec(stdout)?.[1] ?? 0);
}

async function connection(url: string, folder: string): Promise<Record<string, string>> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const values: Record<string, string> = {
    PGHOST: decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  };
  for (const [name, variable] of Object.entries(variables)) {
    values[variable] = searchParams.get(name) ?? values[variable] ?? '';
  }
  if (password !== '') {
    const file = join(folder, 'pgpass');
    const escaped = decodeURIComponent(password).replaceAll(/[\\:]/g, '\\$&');
    await writeFile(file, `*:*:*:*:${escaped}\n`, { mode: 0o600 });
    values['PGPASSFILE'] = file;
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

const missing = (program: Program): ConfigError =>
  new ConfigError(
    `${program} is not installed, or not on the PATH. Install the client programs of PostgreSQL (Debian: postgresql-client) in the version of the database server or a later one.`,
  );
