// Reads the environment into the typed Config. No other file reads process.env.

import { containersOf } from './container-settings.ts';
import { readKubernetes } from './kubernetes-settings.ts';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { splitList } from '#shared/comma-list.ts';
import { trimEndOf } from '#shared/trim-end.ts';
import type { ServerRole } from '#shared/api/runners.ts';
import { readTags } from '#shared/runner-tags.ts';
import { ConfigError } from '../../node/config-error.ts';
import type { RunnerConfig } from '../../runner/config/runner-config.ts';
import { noProxies } from '../../node/net/proxies.ts';
import { readProxies } from './proxy-settings.ts';
import { withEnvironmentFiles } from './environment-files.ts';
import {
  givenSettings,
  type GivenSettings,
  loadFileReaders,
  readSettings,
  type FileReaders,
  type Values,
} from './read-settings.ts';
import { serverZone } from '../lib/time-zone.ts';
import type { Identity } from './identity-file.ts';
import { findRunUsers, tasksAtOnce, type RunUser } from '../../node/process/run-users.ts';
import type { SecondFactorRule, SettingName } from './settings.ts';
import { readTaskEnvironment } from './task-environment.ts';
import { readHeaders } from './telemetry-settings.ts';

export type Config = ReturnType<typeof toConfig>;

export interface MetricsSettings {
  /** Null: no authentication, on a port of their own. */
  token: string | null;
  /** Null: served on the port of the console. */
  listen: { host: string; port: number } | null;
  /** The most templates with their own series. */
  mostTemplates: number;
}

export interface AlertSettings {
  /** With its login; null if no mail is sent. */
  smtpUrl: string | null;
  smtpFrom: string;
  /** Of the server's own bot; null if there is none. */
  telegramToken: string | null;
  /** Without a slash at the end. */
  telegramApi: string;
  /** Hosts, addresses and networks that may be reached besides the public internet. */
  allowed: string[];
}

/** Loads the readers of files only if a setting names one. Throws a `ConfigError` with all mistakes. */
export async function loadWholeConfig(given: NodeJS.ProcessEnv = process.env): Promise<Config> {
  const environment = withEnvironmentFiles(given);
  const { SIGNALBOX_CONFIG: own, SIGNALBOX_IDENTITY_FILE: identity } = environment;
  return loadConfig(environment, own || identity ? await loadFileReaders() : null);
}

export async function loadGivenSettings(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<GivenSettings> {
  return givenSettings(withEnvironmentFiles(environment), await loadFileReaders());
}

/** The environment of a program that the administrator names, without our settings. */
export function environmentOfProgram(
  environment: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('SIGNALBOX_'));
  return Object.fromEntries(others.map(([name, value]) => [name, value ?? '']));
}

const firstAdminOf = (values: Values, text: (name: SettingName) => string) => ({
  admin: {
    login: text('SIGNALBOX_ADMIN_LOGIN'),
    password: values.SIGNALBOX_ADMIN_PASSWORD ?? null,
    name: text('SIGNALBOX_ADMIN_NAME'),
    email: text('SIGNALBOX_ADMIN_EMAIL'),
  },
  /** Null: the random password is printed. */
  firstPasswordFile: values.SIGNALBOX_FIRST_PASSWORD_FILE ?? null,
});

const limitsOf = (text: (name: SettingName) => string) => ({
  /** Free space below which the server warns; 0 means never. */
  lowDiskBytes: Number(text('SIGNALBOX_LOW_DISK_BYTES')),
  leastDiskBytes: Number(text('SIGNALBOX_LEAST_DISK_BYTES')),
  taskLimits: {
    memoryMib: Number(text('SIGNALBOX_TASK_MEMORY_MIB')),
    cpuPercent: Number(text('SIGNALBOX_TASK_CPU_PERCENT')),
    processes: Number(text('SIGNALBOX_TASK_PROCESSES')),
  },
  requireTaskLimits: text('SIGNALBOX_TASK_LIMITS') === 'require',
  containers: containersOf(text),
});

export function loadConfig(
  environment: NodeJS.ProcessEnv = process.env,
  readers: FileReaders | null = null,
): Config {
  const { values, problems } = readSettings(environment, readers);
  const tried = <T>(read: () => T, instead: T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(error.message);
      return instead;
    }
  };
  const identityOf = (path?: string) => readIdentity(path, readers);
  const config = toConfig(values, environment, { tried, identityOf });
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

interface Reading {
  /** Records a `ConfigError` and returns `instead`. */
  tried: <T>(read: () => T, instead: T) => T;
  identityOf: (path?: string) => Identity;
}

function toConfig(values: Values, environment: NodeJS.ProcessEnv, { tried, identityOf }: Reading) {
  const text = (name: SettingName): string => values[name] ?? '';
  const dataDir = resolve(text('SIGNALBOX_DATA_DIR'));
  const runAs = tried(() => runUsers(text('SIGNALBOX_RUN_AS')), []);
  const proxies = tried(() => readProxies(environment), noProxies);
  const roots = text('SIGNALBOX_LOCAL_REPOSITORIES').split(':').filter(Boolean);
  return {
    host: text('SIGNALBOX_HOST'),
    port: Number(text('SIGNALBOX_PORT')),
    publicUrl: values.SIGNALBOX_PUBLIC_URL ? trimEndOf(values.SIGNALBOX_PUBLIC_URL, '/') : null,
    /** Further accepted Host headers. */
    allowedHosts: splitList(text('SIGNALBOX_ALLOWED_HOSTS')),
    dataDir,
    // The URL has its password; null for SQLite in the data folder.
    ...tried(() => readDatabase(values), { databaseUrl: null, role: 'all' }),
    /** Set for a remote runner only. */
    remote: tried(() => readRemote(values), null),
    serverCaFile: values.SIGNALBOX_SERVER_CA_FILE ?? null,
    /** 32 bytes in base64; null if a file in the data folder contains it. */
    masterKey: values.SIGNALBOX_MASTER_KEY ?? null,
    /** The previous key during a rotation. */
    oldMasterKey: values.SIGNALBOX_MASTER_KEY_OLD ?? null,
    ...firstAdminOf(values, text),
    passwordMinLength: Number(text('SIGNALBOX_PASSWORD_MIN_LENGTH')),
    secondFactor: text('SIGNALBOX_SECOND_FACTOR') as SecondFactorRule,
    usersCreateProjects: text('SIGNALBOX_USERS_CREATE_PROJECTS') === 'on',
    maxParallelTasks: tasksAtOnce(Number(text('SIGNALBOX_MAX_PARALLEL_TASKS')), runAs),
    runAs,
    /** How long requests are still served after a termination signal. */
    drainSeconds: Number(text('SIGNALBOX_DRAIN_SECONDS')),
    serverName: values.SIGNALBOX_SERVER_NAME ?? hostname(),
    /** A server without tags runs only tasks without tags. */
    runnerTags: readTags(text('SIGNALBOX_RUNNER_TAGS')),
    /** Per template; 0 means all. */
    keepTasks: Number(text('SIGNALBOX_KEEP_TASKS')),
    keepDays: Number(text('SIGNALBOX_KEEP_DAYS')),
    /** 0 means for ever. */
    keepEventDays: Number(text('SIGNALBOX_KEEP_EVENT_DAYS')),
    /** When an unconfirmed task is stopped; 0 means never. */
    confirmDays: Number(text('SIGNALBOX_CONFIRM_DAYS')),
    /** For all logs; 0 means no limit. */
    keepLogBytes: Number(text('SIGNALBOX_KEEP_LOG_BYTES')),
    /** Whether the database is backed up before migrations. */
    upgradeBackup: text('SIGNALBOX_UPGRADE_BACKUP') === 'on',
    ...limitsOf(text),
    kubernetes: tried(
      () => readKubernetes(text, values.SIGNALBOX_SERVER_URL !== undefined, environment),
      null,
    ),
    podFolder: null,
    // Demo projects are always stored there.
    localRepositories: [...roots, resolve(dataDir, 'repositories')],
    /** Whether new repositories may have http addresses. */
    httpRepositories: text('SIGNALBOX_HTTP_REPOSITORIES') === 'on',
    keptHomeBytes: Number(text('SIGNALBOX_KEEP_HOME_BYTES')),
    pinSshHostKeys: text('SIGNALBOX_SSH_HOST_KEYS') === 'on',
    gitCaFile: values.SIGNALBOX_GIT_CA_FILE ?? null,
    alerts: alertsOf(values, text),
    /** The default time zone of schedules. */
    zone: serverZone(environment['TZ']),
    identity: tried(() => identityOf(values.SIGNALBOX_IDENTITY_FILE), noIdentity),
    /** Null: no scheduled backups. */
    backups: tried(() => readBackups(values), null),
    trustedProxies: text('SIGNALBOX_TRUSTED_PROXIES').split(',').filter(Boolean),
    proxies,
    taskEnvironment: readTaskEnvironment(text('SIGNALBOX_TASK_ENVIRONMENT'), environment, proxies),
    logLevel: text('SIGNALBOX_LOG_LEVEL'),
    accessLog: text('SIGNALBOX_ACCESS_LOG') === 'on',
    /** Null: metrics are disabled. */
    metrics: readMetrics(values),
    /** Null: traces are disabled. */
    traces: readTraces(values),
    path: environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  } satisfies RunnerConfig & Record<string, unknown>;
}

function readRemote(values: Values) {
  const { SIGNALBOX_SERVER_URL: url, SIGNALBOX_RUNNER_TOKEN: token = null } = values;
  if (url === undefined) {
    if (token === null) return null;
    throw new ConfigError('SIGNALBOX_RUNNER_TOKEN needs SIGNALBOX_SERVER_URL: say which server.');
  }
  if (values.SIGNALBOX_DATABASE_URL !== undefined) {
    throw new ConfigError(
      'SIGNALBOX_SERVER_URL is for runners without a database: remove it, or SIGNALBOX_DATABASE_URL.',
    );
  }
  return { serverUrl: trimEndOf(url, '/'), token };
}

function readMetrics(values: Values): MetricsSettings | null {
  const { SIGNALBOX_METRICS_TOKEN: token = null, SIGNALBOX_METRICS_PORT: port } = values;
  const { SIGNALBOX_METRICS_HOST: host = '', SIGNALBOX_METRICS_TEMPLATES: mostTemplates } = values;
  if (token === null && port === undefined) return null;
  const listen = port === undefined ? null : { host, port: Number(port) };
  return { token, listen, mostTemplates: Number(mostTemplates) };
}

function readTraces({
  SIGNALBOX_OTLP_URL: url,
  SIGNALBOX_OTLP_HEADERS: headers,
}: Values): { url: string; headers: Record<string, string> } | null {
  if (url === undefined) return null;
  return { url: trimEndOf(url, '/'), headers: headers === undefined ? {} : readHeaders(headers) };
}

function readDatabase(values: Values): { databaseUrl: string | null; role: ServerRole } {
  const { SIGNALBOX_DATABASE_URL: databaseUrl = null, SIGNALBOX_ROLE: role } = values;
  if (databaseUrl === null && role === 'runner' && values.SIGNALBOX_SERVER_URL === undefined) {
    throw new ConfigError(
      'SIGNALBOX_ROLE holds "runner", which needs a database that servers share, or a server to ask: set SIGNALBOX_DATABASE_URL or SIGNALBOX_SERVER_URL too.',
    );
  }
  return { databaseUrl, role: role as ServerRole };
}

const alertsOf = (values: Values, text: (name: SettingName) => string): AlertSettings => ({
  smtpUrl: values.SIGNALBOX_SMTP_URL ?? null,
  smtpFrom: text('SIGNALBOX_SMTP_FROM'),
  telegramToken: values.SIGNALBOX_TELEGRAM_TOKEN ?? null,
  telegramApi: trimEndOf(text('SIGNALBOX_TELEGRAM_API'), '/'),
  allowed: splitList(text('SIGNALBOX_ALERT_ADDRESSES')),
});

function readBackups(values: Values) {
  const { SIGNALBOX_BACKUP_SCHEDULE: schedule, SIGNALBOX_BACKUP_TO: folder } = values;
  if (schedule === undefined) return null;
  if (folder === undefined) {
    throw new ConfigError(
      'SIGNALBOX_BACKUP_SCHEDULE needs SIGNALBOX_BACKUP_TO: say into which folder.',
    );
  }
  return { schedule, folder, keep: Number(values.SIGNALBOX_BACKUP_KEEP) };
}

function runUsers(list: string): RunUser[] {
  try {
    return findRunUsers(list);
  } catch (cause) {
    throw new ConfigError(`SIGNALBOX_RUN_AS: ${(cause as Error).message}`, { cause });
  }
}

const noIdentity: Identity = { providers: [], ldap: null, passwordLogin: true };

function readIdentity(path: string | undefined, readers: FileReaders | null): Identity {
  if (path === undefined) return noIdentity;
  if (!readers) throw new Error('Nothing is loaded that reads the identity file.');
  try {
    return readers.readIdentityFile(path);
  } catch (cause) {
    const { message } = cause as Error;
    throw new ConfigError(
      `SIGNALBOX_IDENTITY_FILE (${path}): ${message}. Correct it, and start again.`,
      { cause },
    );
  }
}
