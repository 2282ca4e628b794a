// The kinds of objects of a project that people are given access to one by one.

import type { Right } from '../rights.ts';

export const grantedTypes = [
  'template',
  'workflow',
  'view',
  'inventory',
  'key',
  'environment',
  'repository',
  'execution_environment',
] as const;
export type GrantedType = (typeof grantedTypes)[number];

/** The table of each kind, and its column with the name. */
export const grantedTables = {
  template: { table: 'templates', name: 'name' },
  workflow: { table: 'workflows', name: 'name' },
  view: { table: 'views', name: 'title' },
  inventory: { table: 'inventories', name: 'name' },
  key: { table: 'keys', name: 'name' },
  environment: { table: 'environments', name: 'name' },
  repository: { table: 'repositories', name: 'name' },
  execution_environment: { table: 'execution_environments', name: 'name' },
} as const satisfies Record<GrantedType, { table: string; name: string }>;

/** The column that refers to an object of the kind. */
export const columnOf = <T extends GrantedType>(type: T): `${T}_id` => `${type}_id`;

export const rightToSee = (type: GrantedType): Right => `${type}.see`;
