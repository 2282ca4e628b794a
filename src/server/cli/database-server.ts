// Runs a server with its database.

import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../runner/system/config.ts';
import { missingPrograms } from '../../runner/system/programs.ts';
import { createApp, type App } from '../app.ts';
import type { Config } from '../config/config.ts';
import type { Context } from '../context/context.ts';
import { cutJournal, refuseEmptied } from '../db/failure.ts';
import { databaseFile } from '../db/open.ts';
import { openContext } from '../open-context.ts';
import { createFirstAdmin } from '../people/users/users.ts';
import { print, printError, type Beginning, type Surroundings } from './surroundings.ts';

const webDir = fileURLToPath(new URL('../../../dist/web', import.meta.url));

export async function runWithDatabase({ at, config, log, signalled }: Beginning): Promise<number> {
  if (config.databaseUrl === null) checkDatabaseFiles(at, config);
  const ctx = await openContext({ config, log });
  const app = await createApp(ctx, { config, log, webDir: existsSync(webDir) ? webDir : null });
  try {
    const firstAdmin = config.role === 'runner' ? null : await createFirstAdmin(ctx);
    await app.start();
    await listen(app, config);
    await greet(at, ctx, app, firstAdmin);
    await signalled;
    return 0;
  } finally {
    await app.close();
    await ctx.close();
  }
}

/** Checks whether the database files that a crashed machine has left can be used. */
function checkDatabaseFiles(at: Surroundings, config: Config): void {
  const file = databaseFile(config);
  refuseEmptied(file);
  const words = cutJournal(file);
  if (words !== null) printError(at, words);
}

const noAddress = (host: string): string =>
  `This machine has no address ${host} to listen on. Choose another: SIGNALBOX_HOST.`;

/** The message for each error with which the system refuses to listen. */
const cannotListen: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) => `Port ${port} of ${host} is taken. Choose another: SIGNALBOX_PORT.`,
  EACCES: (host, port) =>
    `The user of the server may not listen on port ${port} of ${host}. Choose one above 1023: SIGNALBOX_PORT.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
  EINVAL: noAddress,
};

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    await app.http.listen({ host, port });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const words = Object.hasOwn(cannotListen, code) ? cannotListen[code] : undefined;
    throw words ? new ConfigError(words(host, port), { cause: error }) : error;
  }
}

async function greet(
  at: Surroundings,
  ctx: Context,
  app: App,
  firstAdmin: { login: string; password: string | null } | null,
): Promise<void> {
  const { port } = app.http.server.address() as AddressInfo;
  const { host, publicUrl, dataDir } = ctx.config;
  const address = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const missing = await missingPrograms(ctx.config);
  if (missing.length > 0) {
    print(
      at,
      `Not installed: ${missing.join(', ')}. What needs them is switched off until they are.`,
    );
  }
  const { ldap } = ctx.config.identity;
  if (ldap?.allow_plain && !ldap.start_tls && ldap.url.startsWith('ldap:')) {
    print(at, `Passwords are sent to ${ldap.url} without encryption (allow_plain).`);
  }
  print(at, `Data folder: ${dataDir}`);
  if (firstAdmin) {
    const { login, password } = firstAdmin;
    print(at, `First administrator: ${login}`);
    if (password) print(at, `Password (shown only this once): ${password}`);
  }
  print(at, `Signalbox is ready: ${address}`);
}
