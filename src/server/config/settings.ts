// All settings of the server. The guide prints this table.

import { serverRoles } from '#shared/api/runners.ts';
import { isTagList } from '#shared/runner-tags.ts';
import { adminSettings } from './admin-settings.ts';
import { alertSettings } from './alert-settings.ts';
import { containerSettings } from './container-settings.ts';
import { kubernetesSettings } from './kubernetes-settings.ts';
import { backupSettings } from './backup-settings.ts';
import { diskSettings } from './disk-settings.ts';
import { taskSettings } from './task-settings.ts';
import { telemetrySettings } from './telemetry-settings.ts';
import { isUserList } from '../../node/process/run-users.ts';
import {
  anything,
  byteCount,
  isAbsolutePath,
  isHostList,
  isMasterKey,
  isPostgres,
  isWebAddress,
  oneOf,
  onOff,
  port,
  wholeNumber,
  type Settings,
} from './setting-values.ts';

const secondFactorRules = ['off', 'administrators', 'all'] as const;
export type SecondFactorRule = (typeof secondFactorRules)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];

const table = {
  SIGNALBOX_HOST: {
    initial: '127.0.0.1',
    holds: 'an address to listen on',
    about: 'Address to listen on',
    accepts: anything,
  },
  SIGNALBOX_PORT: {
    initial: '3000',
    ...port,
    about: 'Port to listen on; 0 takes a free one',
  },
  SIGNALBOX_PUBLIC_URL: {
    holds: 'an http or https address',
    about: 'Address at which people reach the console, when a proxy stands before it',
    accepts: isWebAddress,
  },
  SIGNALBOX_ALLOWED_HOSTS: {
    holds: 'names or addresses of hosts without a port, separated by commas',
    about: 'Names by which people may open this server, besides its own and the public one',
    accepts: isHostList,
  },
  SIGNALBOX_DATA_DIR: {
    initial: './data',
    holds: 'the path of a folder',
    about: 'Folder of the database, the master key, repositories and runs',
    accepts: anything,
  },
  SIGNALBOX_DATABASE_URL: {
    holds: 'an address such as postgres://login:password@db.example.com/signalbox',
    about:
      'PostgreSQL database, which several servers can share; absent: SQLite in the data folder',
    secret: true,
    accepts: isPostgres,
  },
  SIGNALBOX_ROLE: {
    initial: 'all',
    ...oneOf(serverRoles),
    about:
      'What this server does: serve people (web), run tasks (runner) or both (all); with web, tasks run on other servers or remote runners',
  },
  SIGNALBOX_SERVER_URL: {
    holds: 'an http or https address',
    about:
      'Address of a server for which this one only runs tasks, without a database of its own: a remote runner',
    accepts: isWebAddress,
  },
  SIGNALBOX_RUNNER_TOKEN: {
    holds: 'a token from the page of runners',
    about: 'With it a remote runner enters, once',
    secret: true,
    accepts: anything,
  },
  SIGNALBOX_SERVER_CA_FILE: {
    holds: 'the absolute path of a file',
    about:
      'File of certificates (PEM) of the authority that vouches for the server of a remote runner, beside those that are known',
    accepts: isAbsolutePath,
  },
  SIGNALBOX_MASTER_KEY: {
    holds: '32 bytes as base64, for example from: openssl rand -base64 32',
    about: 'Key that seals all secrets; absent: generated once in the data folder',
    secret: true,
    accepts: isMasterKey,
  },
  SIGNALBOX_MASTER_KEY_OLD: {
    holds: '32 bytes as base64',
    about: 'The master key before SIGNALBOX_MASTER_KEY, until signalbox keys rotate is done',
    secret: true,
    accepts: isMasterKey,
  },
  ...adminSettings,
  SIGNALBOX_PASSWORD_MIN_LENGTH: {
    initial: '8',
    ...wholeNumber(8, 128),
    about: 'How many characters a new password has at least',
  },
  SIGNALBOX_SECOND_FACTOR: {
    initial: 'off',
    ...oneOf(secondFactorRules),
    about:
      'Who must have a second factor: nobody, administrators or all who sign in with a password',
  },
  SIGNALBOX_USERS_CREATE_PROJECTS: {
    initial: 'off',
    ...onOff,
    about: 'Whether users who are no administrators may create projects',
  },
  SIGNALBOX_MAX_PARALLEL_TASKS: {
    initial: '10',
    ...wholeNumber(0, 10_000, 'unlimited'),
    about: 'How many tasks this server runs at once; 0 means unlimited',
  },
  SIGNALBOX_DRAIN_SECONDS: {
    initial: '0',
    ...wholeNumber(0, 300),
    about:
      'For how many seconds a server that is told to end still answers requests, while /readyz already answers 503; for load balancers and Kubernetes',
  },
  SIGNALBOX_SERVER_NAME: {
    holds: 'a name of at most 100 characters on one line',
    about:
      'Name of this server, in the list of servers, on the tasks that it has run and in their logs; absent: the name of its host',
    accepts: (value: string) => /^\P{Cc}{1,100}$/u.test(value),
  },
  SIGNALBOX_RUNNER_TAGS: {
    holds:
      'at most 20 tags, separated by commas, each of up to 32 letters, digits and the signs - _ . after a letter or digit',
    about:
      'Tags of this server, for example dmz,gpu: it runs only tasks whose template or project asks for some of them and for no others; absent: only tasks that ask for none',
    accepts: isTagList,
  },
  SIGNALBOX_KEEP_TASKS: {
    initial: '0',
    ...wholeNumber(0, 1_000_000, 'all'),
    about: 'How many finished tasks of each template are kept, unless the template says otherwise',
  },
  SIGNALBOX_KEEP_DAYS: {
    initial: '0',
    ...wholeNumber(0, 36_500, 'for ever'),
    about: 'For how many days finished tasks are kept, unless their template says otherwise',
  },
  SIGNALBOX_KEEP_EVENT_DAYS: {
    initial: '365',
    ...wholeNumber(0, 36_500, 'for ever'),
    about: 'For how many days events are kept: who changed what, and who signed in',
  },
  SIGNALBOX_CONFIRM_DAYS: {
    initial: '7',
    ...wholeNumber(0, 3650, 'for ever'),
    about: 'For how many days a task waits for a confirmation before it is stopped',
  },
  SIGNALBOX_KEEP_LOG_BYTES: {
    initial: '0',
    ...byteCount('unlimited'),
    about:
      'Space that the stored logs of all tasks may take; the oldest are removed first, their tasks stay in the history',
  },
  ...diskSettings,
  ...backupSettings,
  ...taskSettings,
  ...containerSettings,
  ...kubernetesSettings,
  SIGNALBOX_LOCAL_REPOSITORIES: {
    holds: 'absolute folders, separated by colons',
    about:
      "Folders in which local repositories may lie, beside the data folder's repositories/; / allows all",
    accepts: (value: string) =>
      value.split(':').every((folder) => folder === '' || folder.startsWith('/')),
  },
  SIGNALBOX_RUN_AS: {
    holds: 'names of users of this system, separated by commas, for example run[1-8]',
    about:
      "System users that run the programs of tasks; of several, each has one task at a time. Absent: the server's own user",
    accepts: isUserList,
  },
  SIGNALBOX_HTTP_REPOSITORIES: {
    initial: 'off',
    ...onOff,
    about:
      'Whether new addresses of repositories may begin with http://, where everybody on the way can read and change what is fetched',
  },
  SIGNALBOX_SSH_HOST_KEYS: {
    initial: 'on',
    ...onOff,
    about: 'Whether the keys of ssh hosts are pinned on first use, for each project',
  },
  SIGNALBOX_KEEP_HOME_BYTES: {
    initial: '2000000000',
    ...byteCount('unlimited'),
    about:
      'Space that the home folder of a project may take, where the project keeps one; a larger one begins empty',
  },
  SIGNALBOX_GIT_CA_FILE: {
    holds: 'the absolute path of a file',
    about:
      "File of certificates (PEM) with which git checks https servers; absent: the system's own",
    accepts: isAbsolutePath,
  },
  ...alertSettings,
  SIGNALBOX_IDENTITY_FILE: {
    holds: 'the path of a file',
    about:
      'File (YAML) that names OpenID Connect providers and the LDAP directory through which people sign in; see the guide "Company sign-in"',
    accepts: anything,
  },
  SIGNALBOX_TRUSTED_PROXIES: {
    holds: 'addresses or networks, separated by commas',
    about: 'Proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Request-Id are believed',
    accepts: (value: string) => /^[0-9a-fA-F:.,/]+$/.test(value),
  },
  SIGNALBOX_LOG_LEVEL: {
    initial: 'warn',
    ...oneOf(logLevels),
    about: "Detail of the server's own log on standard error",
  },
  SIGNALBOX_ACCESS_LOG: {
    initial: 'off',
    ...onOff,
    about:
      'Whether the log has a line for each request: who asked, from which address, for what, the status and the milliseconds',
  },
  ...telemetrySettings,
} satisfies Settings;

export type SettingName = keyof typeof table;

export const settings = Object.entries<Settings[string]>(table).map(([name, setting]) => ({
  name: name as SettingName,
  ...setting,
}));
