// Builds the arguments, the environment and the files of variables of an Ansible task. All functions are pure.

import type { Answer, Answers, TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { parseExactly } from '../../node/json/exact-json.ts';
import type { TaskDetails } from '../prepare/variables.ts';

export interface AnsiblePaths {
  inventory: string | null;
  variables: string;
  /** The YAML file of the answers to the survey; null: there are none. */
  answers: string | null;
  connectionPassword: string | null;
  becomePassword: string | null;
  /** In the order of the snapshot's vaults. */
  vaultPasswords: string[];
}

export interface Logins {
  user: string;
  become: string;
}

/** The arguments of `ansible-playbook`. Secrets are passed as paths of files, never as texts. */
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
    ...(snapshot.debug ? [`-${'v'.repeat(snapshot.debugLevel || usualVerbosity)}`] : []),
    ...(snapshot.diff ? ['--diff'] : []),
    ...(snapshot.dryRun ? ['--check'] : []),
    ...snapshot.vaults.map(
      ({ name }, index) => `--vault-id=${name}@${paths.vaultPasswords[index]}`,
    ),
    `--extra-vars=@${paths.variables}`,
    ...snapshot.arguments,
    // After the arguments, which may name files of variables too: the last value of a variable wins.
    ...(paths.answers === null ? [] : [`--extra-vars=@${paths.answers}`]),
    ...option('--limit', snapshot.limit),
    ...option('--tags', snapshot.tags),
    ...option('--skip-tags', snapshot.skipTags),
    snapshot.playbook,
  ];
}

// Short options without a value, of which k, K and J prompt for a password of ssh, sudo or a vault.
const passwordOption = /^-[bCDhv]*[kKJ]|^--ask-/;

/** Whether the arguments make Ansible prompt for a password, which is impossible without a terminal. */
export const asksForPassword = (args: string[]): boolean =>
  args.some((argument) => passwordOption.test(argument));

// `-vvvv` shows the connections to hosts.
const usualVerbosity = 4;

/** An option and its value as one argument, so that no value can become an option. */
const option = (name: string, value: string | null): string[] =>
  value ? [`${name}=${value}`] : [];

/** The variables with the details of the task: Signalbox's name, and the name that existing playbooks use. */
const detailNames = ['signalbox_vars', 'semaphore_vars'];

const unsafe = (value: string): string => `!unsafe ${JSON.stringify(value)}`;

/** A value as YAML; texts are `!unsafe`, so that Ansible does not evaluate them as templates. */
function literalText(value: Answer): string {
  if (typeof value === 'string') return unsafe(value);
  if (Array.isArray(value)) return `[${value.map(literalText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value);
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}: ${literalText(one)}`).join(', ')}}`;
}

function detailText(details: TaskDetails): string {
  const entries = Object.entries(details).map(([name, value]) => {
    const text = typeof value === 'string' ? unsafe(value) : JSON.stringify(value);
    return `${JSON.stringify(name)}: ${text}`;
  });
  return `{"task_details": {${entries.join(', ')}}}`;
}

/** The extra variables of the environment as YAML. Its secrets are marked `!unsafe`. */
export function extraVariables(
  snapshot: TaskSnapshot,
  details: TaskDetails,
  secrets: Answers,
): string {
  const environment = parseExactly(snapshot.environment?.json ?? '{}');
  const plain = Object.entries(environment).map(([name, value]): Entry => [
    name,
    JSON.stringify(value),
  ]);
  const ofTask = detailNames.map((name): Entry => [name, detailText(details)]);
  return yamlOf([...plain, ...literalEntries(secrets), ...ofTask]);
}

/**
 * The answers to the survey as YAML; null: there are none. They are marked `!unsafe`: if Ansible evaluated them
 * as templates, an answer could run commands on the server.
 */
export function answerVariables(...answers: Answers[]): string | null {
  const entries = answers.flatMap(literalEntries).filter(([name]) => !detailNames.includes(name));
  return entries.length === 0 ? null : yamlOf(entries);
}

type Entry = [name: string, yaml: string];

const literalEntries = (values: Answers): Entry[] =>
  Object.entries(values).map(([name, value]) => [name, literalText(value)]);

/** The last value of a name wins. */
function yamlOf(entries: Entry[]): string {
  const lines = [...new Map(entries)].map(([name, yaml]) => `${JSON.stringify(name)}: ${yaml}`);
  return `${lines.join('\n')}\n`;
}

/** Environment variables override the configuration of a repository, so there are few. */
export const ansibleEnvironment = (
  isPlain: boolean,
  { failWithoutHosts }: Pick<TaskSnapshot, 'failWithoutHosts'>,
): Record<string, string> => ({
  PYTHONUNBUFFERED: '1',
  // Without a terminal, Ansible would print without colours.
  ...(!isPlain && { ANSIBLE_FORCE_COLOR: '1' }),
  // By default Ansible only warns of an inventory that it cannot read.
  ...(failWithoutHosts && { ANSIBLE_INVENTORY_UNPARSED_FAILED: 'true' }),
});
