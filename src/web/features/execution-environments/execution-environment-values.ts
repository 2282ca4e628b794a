// The values of the form of an execution environment, and the body made from them.

import type { ExecutionEnvironment, ExecutionKind } from '#shared/api/execution-environments.ts';

/** Numeric limits, whose inputs can be empty while the user types. */
export const limitNames = ['memory_limit_mib', 'cpu_limit_percent', 'process_limit'] as const;

type ToolsSource = 'packages' | 'folder';

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
};

type Body = typeof nothing & { name: string; description: string; kind: ExecutionKind };

export type ExecutionValues = Omit<Body, 'packages' | (typeof limitNames)[number]> &
  Record<(typeof limitNames)[number], number | string> & {
    source: ToolsSource;
    /** One requirement a line. */
    packages: string;
  };

export const executionValues = (stored?: ExecutionEnvironment): ExecutionValues => ({
  ...nothing,
  name: '',
  description: '',
  kind: 'tools',
  ...stored,
  source: stored?.folder ? 'folder' : 'packages',
  packages: (stored?.packages ?? []).join('\n'),
});

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Fields that the form does not show for the kind are sent empty. */
export function executionBody(values: ExecutionValues): Body {
  const { name, description, kind, source } = values;
  const body = { ...nothing, name, description, kind };
  if (kind === 'server') return body;
  if (kind === 'container') {
    const { image, pull, registry_key_id, network, mounts, user } = values;
    const [memory, cpu, processes] = limitNames.map((limit) => Number(values[limit]));
    return {
      ...body,
      image,
      pull,
      registry_key_id,
      network,
      mounts,
      user,
      memory_limit_mib: memory ?? 0,
      cpu_limit_percent: cpu ?? 0,
      process_limit: processes ?? 0,
    };
  }
  if (source === 'folder') return { ...body, folder: values.folder };
  const { python, index_url } = values;
  return { ...body, packages: linesOf(values.packages), python, index_url };
}

/** The error path of the server has the index of one package; the form has one input for all. */
export const inputPath = (path: string): string =>
  path.startsWith('packages.') ? 'packages' : path;
