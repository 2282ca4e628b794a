// Reads two files that Terraform and OpenTofu write: the one in which `init` notes the backend, and states.

import { createHash } from 'node:crypto';

/** The backend that `init` has noted. `path` and `workspaceDir` are those of a local one. */
export interface NotedBackend {
  type: string;
  path: string | null;
  workspaceDir: string | null;
  /** The same for the same settings; a hash, because they may have secrets. */
  fingerprint: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Reads the `terraform.tfstate` of the data folder; null: it names no backend. */
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
 * What a state holds: `empty` has no bytes, `damaged` is no state that can be read, `other` is a file
 * of another kind with the name of a state. The objects of an encrypted state are not known (null).
 */
export type StateContent =
  | { is: 'absent' | 'empty' | 'damaged' | 'other' }
  | ({ is: 'state'; objects: number | null } & Identity);

/** Which state it is, and how often it was written; null: it does not say. */
interface Identity {
  serial: number | null;
  lineage: string | null;
}

/** A state of which nothing more can be told. */
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
  // OpenTofu leaves serial and lineage outside of what it encrypts.
  const identity = identityOf(state);
  if ('encrypted_data' in state) return { is: 'state', objects: null, ...identity };
  const { resources, modules } = state;
  if (Array.isArray(resources)) {
    return { is: 'state', objects: sum(resources, instancesOf), ...identity };
  }
  // The form of Terraform before 0.12. The note of `init` has it too, with a backend.
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

/** In characters; programs give it 36. */
const MAX_LINEAGE_LENGTH = 100;

const sum = (all: unknown[], countOf: (one: Record<string, unknown>) => number): number =>
  all.filter(isObject).reduce((count, one) => count + countOf(one), 0);

const instancesOf = ({ mode, instances }: Record<string, unknown>): number =>
  mode === 'managed' && Array.isArray(instances) ? instances.length : 0;

const resourcesOf = ({ resources }: Record<string, unknown>): number =>
  isObject(resources) ? Object.keys(resources).length : 0;
