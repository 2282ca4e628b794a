// The names of what uses a resource, for the refusal to delete it: in English for programs, and by section for the
// console, which translates the sections.

import type { Params } from './catalogue/catalogue.ts';

const nouns = {
  projects: 'project',
  templates: 'template',
  workflows: 'workflow',
  inventories: 'inventory',
  repositories: 'repository',
  host_configs: 'host or address',
  execution_environments: 'execution environment',
  schedules: 'schedule',
  integrations: 'integration',
  alert_channels: 'alert channel',
  tasks: 'task',
} as const;

export type HolderSection = keyof typeof nouns;
export type Holders = Partial<Record<HolderSection, string[]>>;

const sections = Object.keys(nouns) as HolderSection[];
const MAX_NAMES = 5;

/** The first names of a list, for a sentence. */
export const firstOf = (names: string[]): string =>
  [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ['…'] : [])].join(', ');

/** The params of such a refusal. */
export function paramsOfHolders(holders: Holders): Params & { names: string } {
  const held = sections.flatMap((section) => {
    const names = holders[section] ?? [];
    return names.length > 0 ? [[section, names] as const] : [];
  });
  const inEnglish = held.flatMap(([section, names]) =>
    names.map((name) =>
      section === 'tasks' ? `${nouns[section]} ${name}` : `${nouns[section]} "${name}"`,
    ),
  );
  const bySection = held.map(([section, names]) => [section, firstOf(names)]);
  // Nothing is left of holders that the reader does not see.
  return { ...(Object.fromEntries(bySection) as Params), names: firstOf(inEnglish) || '…' };
}

/** The sections in the params of a refusal, with their names. */
export const sectionsOfHolders = (params: Params): [HolderSection, string][] =>
  sections.flatMap((section): [HolderSection, string][] => {
    const names = params[section];
    return typeof names === 'string' ? [[section, names]] : [];
  });

export const nameOfTask = (id: number): string => `#${id}`;
