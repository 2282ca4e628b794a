// The named rights in a project. Endpoints name the right that they need, roles are sets of rights. The four built-in
// roles get theirs by the bits of the API that the project is compatible with.

/** The bits of a built-in role, whose sum the API sends as `permissions`. */
const projectPermissions = {
  run_tasks: 1,
  update_project: 2,
  manage_resources: 4,
  manage_users: 8,
} as const;

export const roles = {
  owner: 15,
  manager: 5,
  task_runner: 1,
  guest: 0,
} as const;
export type Role = keyof typeof roles;
export const roleNames = ['owner', 'manager', 'task_runner', 'guest'] as const satisfies Role[];

const {
  run_tasks: run,
  update_project: update,
  manage_resources: manage,
  manage_users: team,
} = projectPermissions;

const every = null;

/** The bits of which a built-in role needs one; `every`: each of the four has the right. */
export const rightBits = {
  'project.edit': update,
  'project.delete': update,
  'member.manage': team,
  'role.edit': team,
  'grant.edit': team,
  'alert.edit': update,
  'runner.edit': update,
  'backup.read': update,
  'event.audit': update,

  'template.see': every,
  'template.run': run,
  'template.edit': manage,
  'state.manage': manage,
  'view.see': every,
  'view.edit': manage,
  'task.log': every,
  'task.restart': run,
  'task.stop': run,
  'task.confirm': run,
  'task.delete': manage,
  'workflow.see': every,
  'workflow.run': run,
  'workflow.edit': manage,
  'workflow.approve': every,
  'schedule.edit': manage,
  'integration.edit': manage | update,

  'key.see': every,
  'key.use': manage,
  'key.edit': manage,
  'host_key.edit': manage,
  'host_config.edit': manage,
  'repository.see': every,
  'repository.use': manage,
  'repository.edit': manage,
  'inventory.see': every,
  'inventory.use': run | manage,
  'inventory.read': run | manage,
  'inventory.edit': manage,
  'environment.see': every,
  'environment.use': manage,
  'environment.read': run | manage,
  'environment.edit': manage,
  'execution_environment.see': every,
  'execution_environment.use': run | manage,
  'execution_environment.edit': manage,
  'runner.use': manage,
} as const satisfies Record<string, number | null>;

export type Right = keyof typeof rightBits;
export const rightNames = Object.keys(rightBits) as [Right, ...Right[]];

export const isRight = (text: string): text is Right => Object.hasOwn(rightBits, text);

const seeing = rightNames.filter((right) => right.endsWith('.see'));

const seeingTasks: Right[] = ['template.see'];
const launching: Right[] = ['template.run', 'workflow.run'];

/**
 * Whoever may use or change something sees it. Whoever may change content has to see it whole, because a change is
 * merged with what its author has read. Whoever decides when something is launched may launch it. Whoever manages
 * members has the right that each of them has, and whoever gives access to objects sees all of them.
 */
const implied: Partial<Record<Right, readonly Right[]>> = {
  'member.manage': ['workflow.approve', 'task.log', ...seeing],
  'grant.edit': seeing,
  'template.run': ['template.see'],
  'template.edit': ['template.see'],
  'state.manage': seeingTasks,
  'view.edit': ['view.see'],
  'task.log': seeingTasks,
  'task.restart': seeingTasks,
  'task.stop': seeingTasks,
  'task.confirm': seeingTasks,
  'task.delete': seeingTasks,
  'workflow.run': ['workflow.see'],
  'workflow.edit': launching,
  'workflow.approve': ['workflow.see'],
  'schedule.edit': launching,
  'integration.edit': launching,
  'key.use': ['key.see'],
  'key.edit': ['key.see'],
  'repository.use': ['repository.see'],
  'repository.edit': ['repository.see'],
  'inventory.use': ['inventory.see'],
  'inventory.read': ['inventory.see'],
  'inventory.edit': ['inventory.read'],
  'environment.use': ['environment.see'],
  'environment.read': ['environment.see'],
  'environment.edit': ['environment.read'],
  'execution_environment.use': ['execution_environment.see'],
  'execution_environment.edit': ['execution_environment.see'],
};

const withImplied = (right: Right): Right[] => [
  right,
  ...(implied[right] ?? []).flatMap((one) => withImplied(one)),
];

/** With the rights that others imply, in their usual order. */
export function completeRights(rights: Iterable<Right>): Right[] {
  const all = new Set([...rights].flatMap((right) => withImplied(right)));
  return rightNames.filter((right) => all.has(right));
}

export type Rights = ReadonlySet<Right>;

const isInMask = (right: Right, mask: number): boolean => {
  const bits = rightBits[right];
  return bits === every || (bits & mask) !== 0;
};

const ofBits = (mask: number): Rights =>
  new Set(rightNames.filter((right) => isInMask(right, mask)));

export const builtInRights: Readonly<Record<Role, Rights>> = {
  owner: ofBits(roles.owner),
  manager: ofBits(roles.manager),
  task_runner: ofBits(roles.task_runner),
  guest: ofBits(roles.guest),
};

/** Those of owners and administrators. */
export const allRights = builtInRights.owner;
export const noRights: Rights = new Set();

export const isBuiltIn = (slug: string): slug is Role => Object.hasOwn(roles, slug);

export const includesAll = (rights: Rights, others: Rights): boolean => others.isSubsetOf(rights);

/** The bit tells clients of other versions that a role has the main right of it. */
const mainRights = {
  run_tasks: 'template.run',
  update_project: 'project.edit',
  manage_resources: 'template.edit',
  manage_users: 'member.manage',
} as const satisfies Record<keyof typeof projectPermissions, Right>;

export function bitsOf(rights: Rights): number {
  const names = Object.keys(mainRights) as (keyof typeof mainRights)[];
  return names
    .filter((name) => rights.has(mainRights[name]))
    .reduce((sum, name) => sum + projectPermissions[name], 0);
}

/** What somebody may do at most who is given access with limits. */
export const ofLimited = (rights: Rights): Rights => rights.intersection(builtInRights.task_runner);

/** What somebody may do at most with something that is only shown to them. */
export const ofShown = (rights: Rights): Rights => rights.intersection(builtInRights.guest);

/** Whether a token that may only run tasks has the right. */
export const isOfRunning = (right: Right): boolean => rightBits[right] === run;

export const roleInfos = roleNames.map((slug) => ({
  slug,
  name: { owner: 'Owner', manager: 'Manager', task_runner: 'Task Runner', guest: 'Guest' }[slug],
  permissions: roles[slug],
}));

const builtInNames = new Map<string, string>(roleInfos.map(({ slug, name }) => [slug, name]));

/** The name of a role of one's own, or the English one of a built-in role. */
export const roleNameOf = (slug: string, own: string | null): string =>
  own ?? builtInNames.get(slug) ?? slug;
