// The kinds of objects of a project that people are given access to one by one.

import type { Right, Rights } from '../rights.ts';

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

const ofTasks = ['task', 'schedule', 'integration'];

/** The nouns whose rights are about an object of the kind, or about what belongs to it. */
const nounsOf: Record<GrantedType, string[]> = {
  template: ['template', 'state', ...ofTasks],
  workflow: ['workflow', ...ofTasks],
  view: ['view', 'template', 'workflow', 'state', ...ofTasks],
  inventory: ['inventory'],
  key: ['key'],
  environment: ['environment'],
  repository: ['repository'],
  execution_environment: ['execution_environment'],
};

const isAbout = (right: Right, type: GrantedType): boolean =>
  right === 'grant.edit' || nounsOf[type].includes(right.slice(0, right.indexOf('.')));

// A member may have hundreds of grants of the same role.
const known = new WeakMap<Rights, Map<GrantedType, Rights>>();

/** Those of the rights that a role can give on an object of the kind. */
export function rightsAbout(type: GrantedType, rights: Rights): Rights {
  const byType = known.get(rights) ?? new Map<GrantedType, Rights>();
  const about = byType.get(type) ?? new Set([...rights].filter((right) => isAbout(right, type)));
  byType.set(type, about);
  known.set(rights, byType);
  return about;
}
