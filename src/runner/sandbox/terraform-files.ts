// Parses two kinds of files of Terraform and OpenTofu: the record of the backend by `init`, and states.

import { createHash } from 'node:crypto';

/** The backend that `init` has recorded. `path` and `workspaceDir` are settings of a local backend. */
export interface NotedBackend {
  type: string;
  path: string | null;
  workspaceDir: string | null;
  /** Equal for equal settings; a hash, because they may contain secrets. */
  fingerprint: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Parses the `terraform.tfstate` of the data folder; null: it has no backend. */
export function readBackend(text: string): NotedBackend | null {
  const file: unknown = JSON.parse(text);
  const backend = isObject(file) ? file['backend'] : null;
  if (!isObject(backend) || typeof backend['type'] !== 'string') return null;
  const config = isObject(backend['config']) ? backend['config'] : {};
  const [path, workspaceDir] = [config['path'], config['workspace_dir']].map(textOrNull);
  const fingerprint = createHash('sha256').update(JSON.stringify(config)).digest('hex');
  const { type } = backend;
  return { type, path: path ?? null, workspaceDir: workspaceDir ?? null, fingerprint };
}

/**
 * `empty` has no bytes, `damaged` cannot be parsed, `other` is another file with the name of a state. The number of
 * objects of an encrypted state is unknown (null).
 */
export type StateContent =
  | { is: 'absent' | 'empty' | 'damaged' | 'other' }
  | ({ is: 'state'; objects: number | null } & Identity);

/** Which state it is, and its version; null: unknown. */
interface Identity {
  serial: number | null;
  lineage: string | null;
}

/** A state that cannot be read. */
export const unknownState: StateContent = {
  is: 'state',
  objects: null,
  serial: null,
  lineage: null,
};

export function readState(text: string): StateContent {
  if (text === '') return { is: 'empty' };
  try {
    const state: unknown = JSON.parse(text);
    return isObject(state) ? contentOf(state) : { is: 'damaged' };
  } catch {
    return { is: 'damaged' };
  }
}

function contentOf(state: Record<string, unknown>): StateContent {
  // OpenTofu does not encrypt serial and lineage.
  const identity = identityOf(state);
  if ('encrypted_data' in state) return { is: 'state', objects: null, ...identity };
  const { resources, modules } = state;
  if (Array.isArray(resources)) {
    return { is: 'state', objects: sum(resources, instancesOf), ...identity };
  }
  // The format before Terraform 0.12. The record of `init` has it too, with a backend.
  if ('backend' in state) return { is: 'other' };
  if (Array.isArray(modules)) {
    return { is: 'state', objects: sum(modules, resourcesOf), ...identity };
  }
  return { is: typeof state['version'] === 'number' ? 'damaged' : 'other' };
}

const identityOf = ({ serial, lineage }: Record<string, unknown>): Identity => ({
  serial: Number.isSafeInteger(serial) ? Number(serial) : null,
  lineage: typeof lineage === 'string' ? lineage.slice(0, MAX_LINEAGE_LENGTH) : null,
});

/** Programs use 36 characters. */
const MAX_LINEAGE_LENGTH = 100;

const sum = (all: unknown[], countOf: (one: Record<string, unknown>) => number): number =>
  all.filter(isObject).reduce((count, one) => count + countOf(one), 0);

const instancesOf = ({ mode, instances }: Record<string, unknown>): number =>
  mode === 'managed' && Array.isArray(instances) ? instances.length : 0;

const resourcesOf = ({ resources }: Record<string, unknown>): number =>
  isObject(resources) ? Object.keys(resources).length : 0;
