// A task of the app Ansible → command, arguments, environment and the file of variables. Pure.

import type { Answers } from '../../tasks/survey.ts';
import type { TaskSnapshot } from '../../tasks/snapshot.ts';

export interface AnsiblePaths {
  inventory: string | null;
  /** YAML of extra variables. */
  variables: string;
  connectionPassword: string | null;
  becomePassword: string | null;
  /** By the order of the snapshot's vaults. */
  vaultPasswords: string[];
}

export interface Logins {
  user: string;
  become: string;
}

/** Arguments of `ansible-playbook`; secrets come as paths of files, never as texts. */
export function ansibleArguments(
  snapshot: TaskSnapshot,
  paths: AnsiblePaths,
  logins: Logins,
): string[] {
  return [
    ...option('--inventory', paths.inventory),
    ...option('--user', logins.user),
    ...option('--connection-password-file', paths.connectionPassword),
    ...option('--become-user', logins.become),
    ...option('--become-password-file', paths.becomePassword),
    ...(snapshot.debug ? ['-vvvv'] : []),
    ...(snapshot.diff ? ['--diff'] : []),
    ...(snapshot.dryRun ? ['--check'] : []),
    ...snapshot.vaults.map(
      ({ name }, index) => `--vault-id=${name}@${paths.vaultPasswords[index]}`,
    ),
    `--extra-vars=@${paths.variables}`,
    ...snapshot.arguments,
    ...option('--limit', snapshot.limit),
    ...option('--tags', snapshot.tags),
    ...option('--skip-tags', snapshot.skipTags),
    snapshot.playbook,
  ];
}

/** As one argument, so that no value can become an option. */
const option = (name: string, value: string | null): string[] =>
  value ? [`${name}=${value}`] : [];

/** What a playbook learns of its task, as the variable `signalbox_vars.task_details`. */
export interface TaskDetails {
  id: number;
  username: string;
  /** Where the task is shown; null: the public address is not set. */
  url: string | null;
  message?: string;
  type?: string;
  /** Of a deploy. */
  incoming_version?: string;
  /** Of a build. */
  target_version?: string;
}

/** Under our name, and under the one that existing playbooks know. */
const detailNames = ['signalbox_vars', 'semaphore_vars'];

/** The same for programs that read their environment. */
export function detailVariables(details: TaskDetails): Record<string, string> {
  if (!details.type) return {};
  const { type, incoming_version: incoming, target_version: target } = details;
  const values = { TYPE: type, INCOMING_VERSION: incoming, TARGET_VERSION: target };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    ['SIGNALBOX', 'SEMAPHORE'].flatMap((prefix) =>
      given.map(([name, value]) => [`${prefix}_TASK_${name}`, String(value)]),
    ),
  );
}

const unsafe = (value: string): string => `!unsafe ${JSON.stringify(value)}`;

function detailText(details: TaskDetails): string {
  const entries = Object.entries(details).map(([name, value]) => {
    const text = typeof value === 'string' ? unsafe(value) : JSON.stringify(value);
    return `${JSON.stringify(name)}: ${text}`;
  });
  return `{"task_details": {${entries.join(', ')}}}`;
}

/**
 * The extra variables as YAML. What people answered is marked `!unsafe`: Ansible must not
 * evaluate it as a template, or an answer could run commands on the server.
 */
export function extraVariables(
  snapshot: TaskSnapshot,
  details: TaskDetails,
  ...answers: Answers[]
): string {
  const values = new Map<string, string>();
  const environment = JSON.parse(snapshot.environment?.json ?? '{}') as Record<string, unknown>;
  for (const [name, value] of Object.entries(environment)) values.set(name, JSON.stringify(value));
  for (const [name, value] of answers.flatMap((group) => Object.entries(group))) {
    values.set(name, typeof value === 'string' ? unsafe(value) : String(value));
  }
  for (const name of detailNames) values.set(name, detailText(details));
  const lines = [...values].map(([name, value]) => `${JSON.stringify(name)}: ${value}`);
  return `${lines.join('\n')}\n`;
}

/** Variables of the process that the environment of the template gives. */
export function processVariables(snapshot: TaskSnapshot): Record<string, string> {
  const env = JSON.parse(snapshot.environment?.env ?? '{}') as Record<string, unknown>;
  const plain = Object.entries(env).filter(([, value]) => value !== null);
  return Object.fromEntries(plain.map(([name, value]) => [name, String(value)]));
}

/** What every run of Ansible gets; `sshConfig` is the path of the ssh client's configuration. */
export function ansibleEnvironment(sshConfig: string): Record<string, string> {
  return {
    PYTHONUNBUFFERED: '1',
    ANSIBLE_FORCE_COLOR: '1',
    ANSIBLE_RETRY_FILES_ENABLED: '0',
    ANSIBLE_SSH_COMMON_ARGS: `-F "${sshConfig}"`,
  };
}
