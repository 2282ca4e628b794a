// Starts the server and ends it on a signal.

import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createApp, openContext, type App } from '../app.ts';
import { ConfigError, loadConfig, type Config } from '../config.ts';
import type { Context } from '../context.ts';
import { createLog, type Log } from '../log.ts';
import type { Remote } from '../remote/identity.ts';
import { startRemote } from '../remote/remote.ts';
import { missingPrograms } from '../system/programs.ts';
import { createFirstAdmin } from '../users/users.ts';
import { print, printError } from './print.ts';

const webDir = fileURLToPath(new URL('../../../dist/web', import.meta.url));

/** Runs until SIGTERM or SIGINT; answers the exit code. */
export async function runServer(): Promise<number> {
  const config = loadConfig();
  const log = createLog(config.logLevel);
  const signalled = untilSignal();
  if (config.remote) return runRemote(config, config.remote, log, signalled);
  const ctx = await openContext({ config, log });
  const app = await createApp(ctx, { config, log, webDir: existsSync(webDir) ? webDir : null });
  try {
    const firstAdmin = config.role === 'runner' ? null : await createFirstAdmin(ctx);
    await app.start();
    await listen(app, config);
    await greet(ctx, app, firstAdmin);
    await signalled;
    return 0;
  } finally {
    await app.close();
    await ctx.close();
  }
}

async function runRemote(
  config: Config,
  remote: Remote,
  log: Log,
  signalled: Promise<void>,
): Promise<number> {
  const runner = await startRemote(config, remote, log);
  try {
    if (remote.serverUrl.startsWith('http:')) {
      print(`What is sent to ${remote.serverUrl} is not encrypted. Use https.`);
    }
    print(`Data folder: ${config.dataDir}`);
    print(`Runner ${runner.name} works for ${remote.serverUrl}`);
    const words = await Promise.race([signalled, runner.shutOut]);
    if (typeof words !== 'string') return 0;
    printError(words);
    return 1;
  } finally {
    await runner.close();
  }
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    await app.http.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(`Port ${port} of ${host} is taken. Choose another: SIGNALBOX_PORT.`);
    }
    throw error;
  }
}

async function greet(
  ctx: Context,
  app: App,
  firstAdmin: { login: string; password: string | null } | null,
): Promise<void> {
  const { port } = app.http.server.address() as AddressInfo;
  const { host, publicUrl, dataDir } = ctx.config;
  const address = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const missing = await missingPrograms(ctx.config);
  if (missing.length > 0) {
    print(`Not installed: ${missing.join(', ')}. What needs them is switched off until they are.`);
  }
  const { ldap } = ctx.config.identity;
  if (ldap?.allow_plain && !ldap.start_tls && ldap.url.startsWith('ldap:')) {
    print(`Passwords are sent to ${ldap.url} without encryption (allow_plain).`);
  }
  print(`Data folder: ${dataDir}`);
  if (firstAdmin) {
    const { login, password } = firstAdmin;
    print(`First administrator: ${login}`);
    if (password) print(`Password (shown only this once): ${password}`);
  }
  print(`Signalbox is ready: ${address}`);
}
