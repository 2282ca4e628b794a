// The rights in the groups of the forms.

import { type Right, rightNames } from '#shared/rights.ts';

const nouns = {
  project: ['project', 'member', 'role', 'grant', 'alert', 'backup', 'event'],
  tasks: ['template', 'task', 'state', 'view'],
  automation: ['workflow', 'schedule', 'integration'],
  keys: ['key', 'host_key', 'host_config'],
  resources: ['repository', 'inventory', 'environment', 'execution_environment', 'runner'],
} as const;

export type RightGroup = keyof typeof nouns;

const nounOf = (right: Right): string => right.slice(0, right.indexOf('.'));

const groups = (Object.keys(nouns) as RightGroup[]).map((group) => {
  const ofGroup: readonly string[] = nouns[group];
  return { group, rights: rightNames.filter((right) => ofGroup.includes(nounOf(right))) };
});

/** The rights that `isShown` accepts, without empty groups. */
export const groupsOf = (isShown: (right: Right) => boolean) =>
  groups
    .map(({ group, rights }) => ({ group, rights: rights.filter(isShown) }))
    .filter(({ rights }) => rights.length > 0);
