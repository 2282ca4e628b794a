// Defines a resource of the console: its words, its endpoints and their params. This folder makes
// its list, its dialog and its deletion from it.

import type { Endpoint } from '#shared/api/endpoint.ts';
import { send } from '../lib/query.ts';

/** The key of the resource's words in the locales. */
export type Noun =
  | 'alert_channel'
  | 'environment'
  | 'execution_environment'
  | 'extract_value'
  | 'grant'
  | 'host_config'
  | 'integration'
  | 'inventory'
  | 'key'
  | 'matcher'
  | 'repository'
  | 'role'
  | 'schedule'
  | 'template'
  | 'user'
  | 'workflow';

export interface Endpoints {
  list: Endpoint;
  one: Endpoint;
  create: Endpoint;
  update: Endpoint;
  remove: Endpoint;
}

type Params = Record<string, number>;

export interface ProjectScope {
  projectId: number;
}

export interface NamedRow {
  id: number;
  name: string;
}

interface Definition<E extends Endpoints, Row, Scope> {
  noun: Noun;
  endpoints: E;
  /** Lists what uses a row; absent if no resource refers to it. */
  refs?: Endpoint;
  alsoRefresh?: Endpoint[];
  /** The name of a row in lists and messages; by default its own. */
  nameOf?: (row: Row) => string;
  /** The params of the list; by default those of a list in a project. */
  params?: (scope: Scope) => Params;
}

export interface Resource<E extends Endpoints, Row, Scope> {
  noun: Noun;
  endpoints: E;
  refs: Endpoint | undefined;
  nameOf: (row: Row) => string;
  params: (scope: Scope) => Params;
  /** The params of one row. */
  paramsOf: (scope: Scope, id: number) => Params;
  /** The writes, which refetch the reads of the resource. */
  create: () => Write<E['create']>;
  update: () => Write<E['update']>;
  remove: () => Write<E['remove']>;
}

type Write<Called extends Endpoint> = ReturnType<typeof send<Called>>;
export type AnyWrite = Write<Endpoint>;

export function defineResource<E extends Endpoints, Row = NamedRow, Scope = ProjectScope>(
  definition: Definition<E, Row, Scope>,
): Resource<E, Row, Scope> {
  const { noun, endpoints, refs, alsoRefresh = [] } = definition;
  const {
    nameOf = (row: Row) => (row as NamedRow).name,
    params = (scope: Scope) => ({ project_id: (scope as ProjectScope).projectId }),
  } = definition;
  const lists = [endpoints.list, ...alsoRefresh];
  const changed = { refresh: [...lists, endpoints.one] };
  // The name of the last param, such as `key_id`.
  const idParam = endpoints.one.path.split(':').at(-1) ?? 'id';
  return {
    noun,
    endpoints,
    refs,
    nameOf,
    params,
    paramsOf: (scope, id) => ({ ...params(scope), [idParam]: id }),
    create: () => send<E['create']>(endpoints.create, changed),
    update: () => send<E['update']>(endpoints.update, changed),
    // A deleted row is not refetched, although its page may still be open.
    remove: () => send<E['remove']>(endpoints.remove, { refresh: lists }),
  };
}
