import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../node/config-error.ts';
import { proxyWords } from '../../node/net/proxies.ts';
import { missingPrograms } from '../../node/process/installed-programs.ts';
import { followZoneRules } from '../administration/installation/zone-rules.ts';
import { createApp, type App } from '../app.ts';
import type { Config } from '../config/config.ts';
import { directoryWarnings } from '../config/directory-settings.ts';
import type { SettingName } from '../config/settings.ts';
import type { Context } from '../context/context.ts';
import { cutJournal, refuseEmptied } from '../db/failure.ts';
import { refuseForeignJournal } from '../db/foreign-journal.ts';
import { databaseFile } from '../db/open.ts';
import { addressOf } from '../http/metrics.ts';
import { openContext } from '../open-context.ts';
import { createFirstAdmin, type FirstAdmin } from '../people/users/users.ts';
import { print, printError, type Beginning, type Surroundings } from './surroundings.ts';

const webDir = fileURLToPath(new URL('../../../dist/web', import.meta.url));

export async function runWithDatabase({ at, config, log, signalled }: Beginning): Promise<number> {
  if (config.databaseUrl === null) checkDatabaseFiles(at, config);
  const ctx = await openContext({ config, log });
  const app = await createApp(ctx, { config, log, webDir: existsSync(webDir) ? webDir : null });
  try {
    const firstAdmin = config.role === 'runner' ? null : await createFirstAdmin(ctx);
    if (config.role !== 'runner') await followZoneRules(ctx);
    await app.start();
    await listen(app, config);
    await greet(at, ctx, app, firstAdmin);
    await signalled;
    await drain(at, app, config);
    return 0;
  } finally {
    await app.close();
    await ctx.close();
  }
}

/** Lets probes notice the shutdown. A second signal ends the wait. */
async function drain(at: Surroundings, app: App, { drainSeconds }: Config): Promise<void> {
  app.drain();
  if (drainSeconds === 0) return;
  const again = at.untilSignal();
  const over = new AbortController();
  await Promise.race([delay(drainSeconds * 1000, undefined, { signal: over.signal }), again]);
  over.abort();
}

/** Checks the database files that a crash may have damaged. */
function checkDatabaseFiles(at: Surroundings, config: Config): void {
  const file = databaseFile(config);
  refuseEmptied(file);
  refuseForeignJournal(file);
  const words = cutJournal(file);
  if (words !== null) printError(at, words);
}

interface ListenAddress {
  host: string;
  port: number;
  hostSetting: SettingName;
  portSetting: SettingName;
}

const noAddress = ({ host, hostSetting }: ListenAddress): string =>
  `This machine has no address ${host} to listen on. Choose another: ${hostSetting}.`;

const cannotListen: Record<string, (place: ListenAddress) => string> = {
  EADDRINUSE: ({ host, port, portSetting }) =>
    `Port ${port} of ${host} is taken. Choose another: ${portSetting}.`,
  EACCES: ({ host, port, portSetting }) =>
    `The user of the server may not listen on port ${port} of ${host}. Choose one above 1023: ${portSetting}.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
  EINVAL: noAddress,
};

async function listen({ http, metricsServer }: App, { host, port, metrics }: Config) {
  const own = { hostSetting: 'SIGNALBOX_HOST', portSetting: 'SIGNALBOX_PORT' } as const;
  await listenAt({ host, port, ...own }, () => http.listen({ host, port }));
  if (!metricsServer || !metrics?.listen) return;
  const place = {
    ...metrics.listen,
    hostSetting: 'SIGNALBOX_METRICS_HOST',
    portSetting: 'SIGNALBOX_METRICS_PORT',
  } as const;
  await listenAt(place, async () => {
    const ready = once(metricsServer, 'listening');
    metricsServer.listen(place.port, place.host);
    await ready;
  });
}

async function listenAt(place: ListenAddress, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const words = Object.hasOwn(cannotListen, code) ? cannotListen[code] : undefined;
    throw words ? new ConfigError(words(place), { cause: error }) : error;
  }
}

function warningsOf(config: Config): string[] {
  const missing = missingPrograms(config);
  const { identity, zone } = config;
  const proxies = proxyWords(config.proxies);
  return [
    ...(missing.length > 0
      ? [`Not installed: ${missing.join(', ')}. What needs them is switched off until they are.`]
      : []),
    ...(identity.ldap ? directoryWarnings(identity.ldap) : []),
    ...(proxies === null ? [] : [proxies]),
    ...(zone.warning === null ? [] : [zone.warning]),
  ];
}

async function greet(
  at: Surroundings,
  ctx: Context,
  app: App,
  firstAdmin: FirstAdmin | null,
): Promise<void> {
  const { port } = app.http.server.address() as AddressInfo;
  const { host, publicUrl, dataDir } = ctx.config;
  const address = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  for (const words of warningsOf(ctx.config)) print(at, words);
  print(at, `Data folder: ${dataDir}`);
  if (firstAdmin) {
    const { login, password, passwordFile } = firstAdmin;
    print(at, `First administrator: ${login}`);
    if (password) print(at, `Password (shown only this once): ${password}`);
    if (passwordFile) print(at, `Password, until the first sign-in: in the file ${passwordFile}`);
  }
  const metrics = app.metricsServer && addressOf(app.metricsServer);
  if (metrics) print(at, `Metrics: ${metrics}`);
  print(at, `Signalbox is ready: ${address}`);
}
