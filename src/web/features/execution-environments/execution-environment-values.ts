// The values of the form of an execution environment, and the body made from them.

import type { ExecutionEnvironment, ExecutionKind } from '#shared/api/execution-environments.ts';

/** Numbers, whose inputs can be empty while the user types. */
export const numberNames = {
  container: ['memory_limit_mib', 'cpu_limit_percent', 'process_limit'],
  pod: ['memory_request_mib', 'memory_limit_mib', 'cpu_request_percent', 'cpu_limit_percent'],
} as const;

const allNumbers = [...new Set(Object.values(numberNames).flat())];

/** Lists of texts, whose inputs have one a line. */
const listNames = ['packages', 'node_labels', 'tolerations', 'pod_labels', 'pull_secrets'] as const;

type ToolsSource = 'packages' | 'folder';
type NumberName = (typeof allNumbers)[number];
type ListName = (typeof listNames)[number];

const nothing = {
  folder: '',
  packages: [] as string[],
  python: '',
  index_url: '',
  image: '',
  pull: 'missing' as ExecutionEnvironment['pull'],
  registry_key_id: null as number | null,
  network: '',
  mounts: [] as ExecutionEnvironment['mounts'],
  user: '',
  memory_limit_mib: 0,
  cpu_limit_percent: 0,
  process_limit: 0,
  memory_request_mib: 0,
  cpu_request_percent: 0,
  node_labels: [] as string[],
  tolerations: [] as string[],
  service_account: '',
  pod_labels: [] as string[],
  pull_secrets: [] as string[],
};

type Fields = typeof nothing;
type Body = Fields & { name: string; description: string; kind: ExecutionKind };

export type ExecutionValues = Omit<Body, ListName | NumberName> &
  Record<ListName, string> &
  Record<NumberName, number | string> & { source: ToolsSource };

export const executionValues = (stored?: ExecutionEnvironment): ExecutionValues => ({
  ...nothing,
  name: '',
  description: '',
  kind: 'tools',
  ...stored,
  source: stored?.folder ? 'folder' : 'packages',
  ...eachOf(listNames, (name) => (stored?.[name] ?? []).join('\n')),
});

/** The fields that the form shows. */
function shownFields({ kind, source }: ExecutionValues): readonly (keyof Fields)[] {
  if (kind === 'server') return [];
  if (kind === 'tools')
    return source === 'folder' ? ['folder'] : ['packages', 'python', 'index_url'];
  const ofImage = ['image', 'pull', 'user', ...numberNames[kind]] as const;
  if (kind === 'container') return [...ofImage, 'registry_key_id', 'network', 'mounts'];
  return [
    ...ofImage,
    'node_labels',
    'tolerations',
    'service_account',
    'pod_labels',
    'pull_secrets',
  ];
}

/** Fields that the form does not show for the kind are sent empty. */
export function executionBody(values: ExecutionValues): Body {
  const { name, description, kind } = values;
  const fields: Fields = {
    ...values,
    ...eachOf(listNames, (list) => linesOf(values[list])),
    ...eachOf(allNumbers, (number) => Number(values[number])),
  };
  const shown: Partial<Fields> = Object.fromEntries(
    shownFields(values).map((field) => [field, fields[field]]),
  );
  return { ...nothing, ...shown, name, description, kind };
}

const eachOf = <Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The error path of the server has the index of one text; the form has one input for all. */
export function inputPath(path: string): string {
  const [name = ''] = path.split('.');
  return (listNames as readonly string[]).includes(name) ? name : path;
}
