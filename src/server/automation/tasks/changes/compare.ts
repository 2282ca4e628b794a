// Compares the snapshots and tools of two tasks. All functions are pure.

import type {
  ChangedSetting,
  TaskChange,
  TaskTools,
  ChangeKind,
} from '#shared/api/task-changes.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { parseExactly } from '../../../../node/json/exact-json.ts';
import type { FailureGroup } from '#shared/api/run-results.ts';

/** The value of the task that succeeded, and that of the later one. */
export interface Pair<T> {
  before: T;
  after: T;
}

type ComparedValues = Omit<TaskChange, 'how' | 'range'>;

/** A change: `added` or `removed` if one of its values is null. */
export const changeOf = ({ before, after, ...rest }: ComparedValues): TaskChange => ({
  ...rest,
  how: before === null ? 'added' : after === null ? 'removed' : 'changed',
  before,
  after,
  range: null,
});

type Settings = Record<Exclude<ChangedSetting, 'environments'>, (of: TaskSnapshot) => string>;

/** The settings of a snapshot as texts. Snapshots of older servers lack some. */
const settings: Settings = {
  repository: ({ repository }) => repository.git_url,
  branch: ({ branch }) => branch,
  playbook: ({ playbook }) => playbook,
  working_directory: ({ workingDirectory = '' }) => workingDirectory,
  app: ({ app }) => app,
  program: ({ program }) => [program.path, ...program.args].join(' '),
  arguments: (of) => of.arguments.join(' '),
  vaults: ({ vaults }) =>
    vaults.map(({ name, script }) => (script ? `${name} (${script})` : name)).join(', '),
  execution_environment: ({ executionEnvironment }) => executionEnvironment?.name ?? '',
  execution_kind: ({ executionEnvironment }) => executionEnvironment?.kind ?? 'server',
  execution_options: ({ executionEnvironment }) => executionOptions(executionEnvironment),
  image: ({ executionEnvironment }) => executionEnvironment?.image ?? '',
  packages: ({ executionEnvironment }) => executionEnvironment?.packages.join(' ') ?? '',
  install_requirements: ({ installRequirements = 'when_changed' }) => installRequirements,
  submodules: ({ repository }) => String(repository.with_submodules !== false),
  inventory_type: ({ inventory }) => inventory?.type ?? '',
  inventory_repository: ({ inventoryRepository }) => inventoryRepository?.git_url ?? '',
  inventory_branch: ({ inventoryRepository }) => inventoryRepository?.git_branch ?? '',
  incoming_version: ({ incomingVersion }) => incomingVersion ?? '',
  limit: ({ limit }) => limit,
  memory_limit: ({ limits }) => String(limits?.memoryMib ?? 0),
  cpu_limit: ({ limits }) => String(limits?.cpuPercent ?? 0),
  process_limit: ({ limits }) => String(limits?.processes ?? 0),
  tags: ({ tags }) => tags,
  skip_tags: ({ skipTags }) => skipTags,
  dry_run: ({ dryRun }) => String(dryRun),
  diff: ({ diff }) => String(diff),
  debug: ({ debug }) => String(debug),
  auto_approve: ({ autoApprove }) => String(autoApprove),
  parallel: ({ allowParallel }) => String(allowParallel),
  timeout: ({ timeoutS }) => (timeoutS ? String(timeoutS) : ''),
  type: ({ type }) => type,
  name: ({ templateName }) => templateName,
};

const executionOptionNames = [
  'folder',
  'python',
  'index_url',
  'network',
  'user',
  'memory_limit_mib',
  'cpu_limit_percent',
  'process_limit',
  'memory_request_mib',
  'cpu_request_percent',
  'node_labels',
  'tolerations',
  'service_account',
  'pod_labels',
  'pull_secrets',
] as const;

/** The other fields of an execution environment that have a value, as `python=3.12, network=host`. */
function executionOptions(of: TaskSnapshot['executionEnvironment']): string {
  if (!of) return '';
  const mounts = of.mounts.map(
    ({ source, target, read_only }) => `${source}:${target}:${read_only ? 'ro' : 'rw'}`,
  );
  const all = executionOptionNames.map((name) => {
    const value = of[name] || '';
    return [name, Array.isArray(value) ? value.join(' ') : value] as const;
  });
  const pull = of.pull === 'missing' ? '' : of.pull;
  return [...all, ['pull', pull] as const, ['mounts', mounts.join(' ')] as const]
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}=${value}`]))
    .join(', ');
}

export const changedSettings = (both: Pair<TaskSnapshot>): TaskChange[] =>
  Object.entries(settings).flatMap(([what, read]) => {
    const [before, after] = [read(both.before) || null, read(both.after) || null];
    return before === after ? [] : [cautious({ kind: 'setting', what, before, after })];
  });

/** A change of which no value is shown. */
export const hidden = (
  subject: Pick<TaskChange, 'kind' | 'what'>,
  how: TaskChange['how'] = 'changed',
): TaskChange => ({ ...subject, how, before: null, after: null, range: null });

/** A change whose values are shown, unless one of them may be a secret. */
function cautious(values: ComparedValues): TaskChange {
  const { kind, what, before, after } = values;
  const cut = (text: string | null) => (text === null ? null : shownValue(what, text));
  const shown = { before: cut(before), after: cut(after) };
  const { how } = changeOf(values);
  const isShown =
    (before === null || shown.before !== null) && (after === null || shown.after !== null);
  return { ...hidden({ kind, what }, how), ...(isShown && shown) };
}

/** Compares variables by their names; `isSecret` says which ones show no value. */
export function changedVariables(
  kind: 'variable' | 'process_variable' | 'answer',
  both: Pair<Record<string, unknown>>,
  isSecret: (name: string) => boolean,
): TaskChange[] {
  const names = new Set([...Object.keys(both.before), ...Object.keys(both.after)]);
  return [...names].flatMap((what) => {
    const [before, after] = [textOf(both.before, what), textOf(both.after, what)];
    if (before === after) return [];
    const values = { kind, what, before, after };
    return [isSecret(what) ? hidden({ kind, what }, changeOf(values).how) : cautious(values)];
  });
}

/** Null: there is no such variable. */
function textOf(values: Record<string, unknown>, name: string): string | null {
  if (!Object.hasOwn(values, name)) return null;
  const value = values[name];
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const variablesOf = (
  { environment }: TaskSnapshot,
  field: 'json' | 'env',
): Record<string, unknown> =>
  environment ? (parseExactly(environment[field]) as Record<string, unknown>) : {};

/** Compares programs and requirements by their versions, if both tasks have recorded them. */
export function changedTools({ before, after }: Pair<TaskTools | null>): TaskChange[] {
  if (!before || !after) return [];
  return [
    ...changedVersions('requirement', {
      before: before.requirements,
      after: after.requirements,
    }),
    // A missing program may have only reported its version too late.
    ...changedVersions('program', { before: before.programs, after: after.programs }).filter(
      ({ how }) => how === 'changed',
    ),
    ...changedImage({ before: before.image, after: after.image }),
  ];
}

/** Another content of the image; another name is a setting. */
function changedImage({ before, after }: Pair<TaskTools['image']>): TaskChange[] {
  if (!before || !after || before.digest === after.digest) return [];
  const digests = { before: before.digest, after: after.digest };
  return [changeOf({ kind: 'image', what: after.name, ...digests })];
}

interface Installed {
  kind?: string;
  name: string;
  version: string;
}

function changedVersions(kind: 'requirement' | 'program', lists: Pair<Installed[]>): TaskChange[] {
  const keyed = (list: Installed[]) =>
    new Map(list.map((one) => [`${one.kind ?? ''} ${one.name}`, one]));
  const [before, after] = [keyed(lists.before), keyed(lists.after)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, next] = [before.get(key), after.get(key)];
    if (old?.version === next?.version) return [];
    const what = (next ?? old)?.name ?? '';
    return [changeOf({ kind, what, before: old?.version ?? null, after: next?.version ?? null })];
  });
}

const MAX_VALUE_LENGTH = 300;
/** How much of a value is searched for secrets. */
const MAX_READ_CHARACTERS = 2000;

const secretName =
  /pass|pwd|secret|token|credential|private|(?:api|access|encryption|signing|account|shared|ssh)[-_ ]?key|_key$|^key$/i;

/** Whether a URL in the text has a login and password. */
const hasLogin = (text: string): boolean =>
  [...text.matchAll(/:\/\//g)].some(({ index }) =>
    /^[^\s@:]*:[^\s@]*@/.test(text.slice(index + '://'.length)),
  );

/** Texts that look like keys. */
const secretValue = /-----BEGIN|\bBearer\s|\$ANSIBLE_VAULT/i;

/**
 * The value, shortened; null: its name or its text suggests a secret. Members can read plain variables, but
 * people put passwords there too, and replace them later.
 */
export function shownValue(name: string, value: string): string | null {
  const read = value.slice(0, MAX_READ_CHARACTERS);
  if (secretName.test(name) || hasLogin(read) || secretValue.test(read)) return null;
  // Names of secrets inside a list, an object or arguments.
  if (/["=:\s{]/.test(read) && secretName.test(read)) return null;
  return value.length > MAX_VALUE_LENGTH
    ? `${value.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…`
    : value.toWellFormed();
}

// A name stands for all changes of a kind, or for one setting.
const usual: string[] = [
  'commits',
  'repository',
  'branch',
  'playbook',
  'working_directory',
  'incoming_version',
  'requirement',
  'install_requirements',
  'answer',
  'variable',
  'process_variable',
  'secret',
  'environments',
  'environment',
  'execution_environment',
  'execution_kind',
  'image',
  'packages',
  'execution_options',
  'arguments',
  'limit',
  'tags',
  'skip_tags',
  'host',
  'inventory',
  'key',
  'setting',
  'program',
  'runner',
  'launcher',
  'name',
];

/** What can keep a runner from reaching a host comes first if all failures are unreachable hosts. */
const ofUnreachable: ChangeKind[] = ['key', 'host', 'inventory', 'runner'];

/** Sorts changes by how likely they have caused a failure. */
export function rankChanges(changes: TaskChange[], failures: FailureGroup[]): TaskChange[] {
  const isUnreachable =
    failures.length > 0 && failures.every(({ state }) => state === 'unreachable');
  const order = isUnreachable ? [...ofUnreachable, ...usual] : usual;
  const rank = ({ kind, what }: TaskChange): number =>
    order.indexOf(kind === 'setting' && order.includes(what) ? what : kind);
  return changes.toSorted((one, other) => rank(one) - rank(other));
}
