import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { file, fileReaders, refusal } from '../../../test/helpers/config.ts';
import { loadConfig } from './config.ts';

const [masterKey = '', oldMasterKey = ''] = [7, 8].map((byte) =>
  Buffer.alloc(32, byte).toString('base64'),
);

test('an empty environment gives a server for this machine only', () => {
  expect(loadConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    allowedHosts: [],
    publicUrl: null,
    dataDir: resolve('data'),
    databaseUrl: null,
    remote: null,
    serverCaFile: null,
    proxies: { http: null, https: null, bypass: '' },
    taskEnvironment: {},
    role: 'all',
    masterKey: null,
    oldMasterKey: null,
    runAs: [],
    admin: {
      login: 'admin',
      password: null,
      name: 'Administrator',
      email: 'admin@localhost',
    },
    firstPasswordFile: null,
    passwordMinLength: 8,
    secondFactor: 'off',
    usersCreateProjects: false,
    maxParallelTasks: 10,
    drainSeconds: 0,
    serverName: hostname(),
    runnerTags: [],
    keepTasks: 0,
    keepDays: 0,
    keepEventDays: 365,
    confirmDays: 7,
    keepLogBytes: 0,
    lowDiskBytes: 1_000_000_000,
    leastDiskBytes: 100_000_000,
    upgradeBackup: true,
    backups: null,
    taskLimits: { memoryMib: 0, cpuPercent: 0, processes: 0 },
    requireTaskLimits: false,
    containers: expect.anything(),
    kubernetes: null,
    podFolder: null,
    localRepositories: [resolve('data/repositories')],
    httpRepositories: false,
    keptHomeBytes: 2_000_000_000,
    pinSshHostKeys: true,
    gitCaFile: null,
    zone: expect.objectContaining({ warning: null }),
    identity: { providers: [], ldap: null, passwordLogin: true },
    alerts: {
      smtpUrl: null,
      smtpFrom: 'Signalbox <signalbox@localhost>',
      telegramToken: null,
      telegramApi: 'https://api.telegram.org',
      allowed: [],
    },
    trustedProxies: [],
    logLevel: 'warn',
    accessLog: false,
    metrics: null,
    traces: null,
    path: '/usr/local/bin:/usr/bin:/bin',
  });
});

test('every setting is read', () => {
  const environment = {
    SIGNALBOX_HOST: '0.0.0.0',
    SIGNALBOX_PORT: '0',
    SIGNALBOX_ALLOWED_HOSTS: 'box, 192.0.2.7,',
    SIGNALBOX_PUBLIC_URL: 'https://signalbox.example/base//',
    SIGNALBOX_DATA_DIR: '/var/lib/signalbox/',
    SIGNALBOX_DATABASE_URL: 'postgresql://signalbox:pa%2Fss@db.example.com/signalbox',
    SIGNALBOX_ROLE: 'runner',
    SIGNALBOX_SERVER_CA_FILE: '/etc/ssl/company.pem',
    SIGNALBOX_MASTER_KEY: masterKey,
    SIGNALBOX_MASTER_KEY_OLD: oldMasterKey,
    SIGNALBOX_RUN_AS: 'daemon',
    SIGNALBOX_ADMIN_LOGIN: 'boss',
    SIGNALBOX_ADMIN_PASSWORD: ' with spaces ',
    SIGNALBOX_ADMIN_NAME: 'The Boss',
    SIGNALBOX_ADMIN_EMAIL: 'boss@example.com',
    SIGNALBOX_FIRST_PASSWORD_FILE: '/run/first-password',
    SIGNALBOX_PASSWORD_MIN_LENGTH: '14',
    SIGNALBOX_SECOND_FACTOR: 'administrators',
    SIGNALBOX_USERS_CREATE_PROJECTS: 'on',
    SIGNALBOX_MAX_PARALLEL_TASKS: '0',
    SIGNALBOX_DRAIN_SECONDS: '15',
    SIGNALBOX_SERVER_NAME: 'rail-1',
    SIGNALBOX_RUNNER_TAGS: 'gpu, dmz.1,,dmz.1',
    SIGNALBOX_KEEP_TASKS: '100',
    SIGNALBOX_KEEP_DAYS: '365',
    SIGNALBOX_KEEP_EVENT_DAYS: '30',
    SIGNALBOX_CONFIRM_DAYS: '30',
    SIGNALBOX_KEEP_LOG_BYTES: '10000000000',
    SIGNALBOX_LOW_DISK_BYTES: '5000',
    SIGNALBOX_LEAST_DISK_BYTES: '4000',
    SIGNALBOX_UPGRADE_BACKUP: 'off',
    SIGNALBOX_BACKUP_SCHEDULE: '0 3 * * *',
    SIGNALBOX_BACKUP_TO: '/var/backups/signalbox',
    SIGNALBOX_BACKUP_KEEP: '30',
    SIGNALBOX_TASK_MEMORY_MIB: '512',
    SIGNALBOX_TASK_CPU_PERCENT: '150',
    SIGNALBOX_TASK_PROCESSES: '99',
    SIGNALBOX_TASK_LIMITS: 'require',
    SIGNALBOX_LOCAL_REPOSITORIES: '/srv/git:/home/git:',
    SIGNALBOX_KEEP_HOME_BYTES: '0',
    SIGNALBOX_SSH_HOST_KEYS: 'off',
    SIGNALBOX_GIT_CA_FILE: '/etc/ssl/private-authority.pem',
    SIGNALBOX_IDENTITY_FILE: file(
      'password_login: off\noidc: [{ id: sso, name: SSO, issuer: https://sso.example, client_id: signalbox }]',
    ),
    SIGNALBOX_SMTP_URL: 'smtps://robot:pa%2Fss@mail.example.com',
    SIGNALBOX_SMTP_FROM: 'Trains <trains@example.com>',
    SIGNALBOX_TELEGRAM_TOKEN: '123456:ABC-def_0',
    SIGNALBOX_TELEGRAM_API: 'http://telegram.example.internal:8081/',
    SIGNALBOX_ALERT_ADDRESSES: 'chat.example.internal, 10.1.0.0/16,fd00::/8,::1',
    SIGNALBOX_TRUSTED_PROXIES: '10.0.0.0/8,::1',
    SIGNALBOX_LOG_LEVEL: 'debug',
    SIGNALBOX_ACCESS_LOG: 'on',
    SIGNALBOX_TASK_ENVIRONMENT: 'TZ, SSL_CERT_FILE, https_proxy, GONE',
    TZ: 'Europe/Berlin',
    SSL_CERT_FILE: '/etc/ssl/company.pem',
    HTTPS_PROXY: 'proxy.example:3128',
    HTTP_PROXY: 'http://proxy.example:3128',
    PATH: '/opt/bin',
  };
  const config = loadConfig(environment, fileReaders);
  expect(config).toEqual({
    host: '0.0.0.0',
    port: 0,
    allowedHosts: ['box', '192.0.2.7'],
    publicUrl: 'https://signalbox.example/base',
    dataDir: '/var/lib/signalbox',
    databaseUrl: 'postgresql://signalbox:pa%2Fss@db.example.com/signalbox',
    remote: null,
    serverCaFile: '/etc/ssl/company.pem',
    proxies: {
      http: 'http://proxy.example:3128',
      https: 'http://proxy.example:3128',
      bypass: 'localhost,127.0.0.1,::1',
    },
    taskEnvironment: {
      TZ: 'Europe/Berlin',
      SSL_CERT_FILE: '/etc/ssl/company.pem',
      HTTPS_PROXY: 'http://proxy.example:3128',
      https_proxy: 'http://proxy.example:3128',
    },
    role: 'runner',
    masterKey,
    oldMasterKey,
    runAs: [{ name: 'daemon', uid: 1, gid: 1, home: '/usr/sbin' }],
    admin: {
      login: 'boss',
      password: ' with spaces ',
      name: 'The Boss',
      email: 'boss@example.com',
    },
    firstPasswordFile: '/run/first-password',
    passwordMinLength: 14,
    secondFactor: 'administrators',
    usersCreateProjects: true,
    maxParallelTasks: 0,
    drainSeconds: 15,
    serverName: 'rail-1',
    runnerTags: ['dmz.1', 'gpu'],
    keepTasks: 100,
    keepDays: 365,
    keepEventDays: 30,
    confirmDays: 30,
    keepLogBytes: 10_000_000_000,
    lowDiskBytes: 5000,
    leastDiskBytes: 4000,
    upgradeBackup: false,
    backups: { schedule: '0 3 * * *', folder: '/var/backups/signalbox', keep: 30 },
    taskLimits: { memoryMib: 512, cpuPercent: 150, processes: 99 },
    requireTaskLimits: true,
    containers: expect.anything(),
    kubernetes: null,
    podFolder: null,
    localRepositories: ['/srv/git', '/home/git', '/var/lib/signalbox/repositories'],
    httpRepositories: false,
    keptHomeBytes: 0,
    pinSshHostKeys: false,
    gitCaFile: '/etc/ssl/private-authority.pem',
    zone: { name: 'Europe/Berlin', warning: null },
    identity: {
      providers: [expect.objectContaining({ id: 'sso', client_id: 'signalbox' })],
      ldap: null,
      passwordLogin: false,
    },
    alerts: {
      smtpUrl: 'smtps://robot:pa%2Fss@mail.example.com',
      smtpFrom: 'Trains <trains@example.com>',
      telegramToken: '123456:ABC-def_0',
      telegramApi: 'http://telegram.example.internal:8081',
      allowed: ['chat.example.internal', '10.1.0.0/16', 'fd00::/8', '::1'],
    },
    trustedProxies: ['10.0.0.0/8', '::1'],
    logLevel: 'debug',
    accessLog: true,
    metrics: null,
    traces: null,
    path: '/opt/bin',
  });
});

describe('a value that cannot be used is refused in one line with the name', () => {
  const wrong: [name: string, value: string][] = [
    ['SIGNALBOX_PORT', '65536'],
    ['SIGNALBOX_KEEP_TASKS', '-1'],
    ['SIGNALBOX_KEEP_DAYS', '36501'],
    ['SIGNALBOX_KEEP_EVENT_DAYS', '36501'],
    ['SIGNALBOX_CONFIRM_DAYS', '3651'],
    ['SIGNALBOX_KEEP_LOG_BYTES', '1G'],
    ['SIGNALBOX_PORT', '-1'],
    ['SIGNALBOX_PORT', '3000x'],
    ['SIGNALBOX_PORT', ' '],
    ['SIGNALBOX_PUBLIC_URL', 'signalbox.example'],
    ['SIGNALBOX_PUBLIC_URL', 'ftp://signalbox.example'],
    ['SIGNALBOX_PUBLIC_URL', 'javascript:alert(1)'],
    ['SIGNALBOX_ADMIN_LOGIN', 'two words'],
    ['SIGNALBOX_ADMIN_EMAIL', 'nobody'],
    ['SIGNALBOX_PASSWORD_MIN_LENGTH', '7'],
    ['SIGNALBOX_SECOND_FACTOR', 'on'],
    ['SIGNALBOX_USERS_CREATE_PROJECTS', 'yes'],
    ['SIGNALBOX_MAX_PARALLEL_TASKS', '10001'],
    ['SIGNALBOX_MAX_PARALLEL_TASKS', '1.5'],
    ['SIGNALBOX_RUNNER_TAGS', 'dmz, two words'],
    ['SIGNALBOX_RUNNER_TAGS', '-dmz'],
    ['SIGNALBOX_TASK_ENVIRONMENT', 'TZ,SIGNALBOX_MASTER_KEY'],
    ['SIGNALBOX_RUNNER_TAGS', 'a'.repeat(33)],
    ['SIGNALBOX_RUNNER_TAGS', Array.from({ length: 21 }, (_, index) => `t${index}`).join(',')],
    ['SIGNALBOX_LOCAL_REPOSITORIES', '/srv/git:relative'],
    ['SIGNALBOX_SSH_HOST_KEYS', 'true'],
    ['SIGNALBOX_SMTP_FROM', 'Trains'],
    ['SIGNALBOX_SMTP_FROM', 'Trains <a@example.com>\nBcc: b@example.com'],
    ['SIGNALBOX_TELEGRAM_API', 'telegram.example.com'],
    ['SIGNALBOX_ALERT_ADDRESSES', '10.0.0.0/33'],
    ['SIGNALBOX_ALERT_ADDRESSES', 'http://chat.example.internal'],
    ['SIGNALBOX_TRUSTED_PROXIES', 'proxy.example'],
    ['SIGNALBOX_DRAIN_SECONDS', '301'],
    ['SIGNALBOX_LOG_LEVEL', 'loud'],
    ['SIGNALBOX_ROLE', 'worker'],
  ];
  test.each(wrong)('%s=%s', (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} holds .*, but must hold .*\\.$`));
    expect(message).toContain(JSON.stringify(value));
    expect(message).not.toContain('\n');
  });
});

test('everything that is wrong is told at once', () => {
  const message = refusal({
    SIGNALBOX_PORT: 'many',
    SIGNALBOX_ROLE: 'worker',
    SIGNALBOX_LOGLEVEL: 'debug',
    SIGNALBOX_RUNNER_TOKEN: 'abc',
    SIGNALBOX_IDENTITY_FILE: file('oidc: [{ id: "a b" }]\npassword_logins: on\n'),
  });
  expect(message.split('\n')).toEqual([
    'SIGNALBOX_LOGLEVEL is not a setting. Did you mean SIGNALBOX_LOG_LEVEL?',
    expect.stringMatching(/^SIGNALBOX_PORT holds "many"/),
    expect.stringMatching(/^SIGNALBOX_ROLE holds "worker"/),
    'SIGNALBOX_RUNNER_TOKEN needs SIGNALBOX_SERVER_URL: say which server.',
    expect.stringMatching(
      /^SIGNALBOX_IDENTITY_FILE .*oidc\[0\]\.id may hold .*password_logins is not known/,
    ),
  ]);
});

test('a secret that cannot be used is not printed', () => {
  for (const value of ['short', `${masterKey}x`, 'A'.repeat(44)]) {
    const message = refusal({ SIGNALBOX_MASTER_KEY: value });
    expect(message).toContain('SIGNALBOX_MASTER_KEY holds a value that is hidden here');
    expect(message).not.toContain(value);
  }
  expect(refusal({ SIGNALBOX_MASTER_KEY_FILE: file('not a key') })).not.toContain('not a key');
});

test.each([
  ['SIGNALBOX_DATABASE_URL', 'mysql://signalbox:hunter2@db.example.com/signalbox'],
  ['SIGNALBOX_SMTP_URL', 'mail.example.com:25'],
  ['SIGNALBOX_SMTP_URL', 'http://robot:hunter2@mail.example.com'],
  ['SIGNALBOX_TELEGRAM_TOKEN', '123/../other'],
])('%s=%s is refused without being printed', (name, value) => {
  const message = refusal({ [name]: value });
  expect(message).toContain(`${name} holds a value that is hidden here`);
  expect(message).not.toContain(value);
});
