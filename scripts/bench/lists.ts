// How fast lists load with a long history, compared with a short one.

import { join } from 'node:path';
import { firstId, type Size } from '../../test/helpers/many/rows.ts';
import type * as filling from './fill.ts';
import { install, type Installation } from './installation.ts';
import { type Measure, type Opened, timed } from './measure.ts';

const many = 300_000;
const few = 1000;

/** The first project has half of the tasks; the ids of its tasks are spread over those of all. */
const sizeOf = (tasks: number): Size => ({
  projects: 20,
  users: 50,
  templates: 400,
  tasks,
  events: 1000,
  bigShare: { templates: 100, tasks: tasks / 2, events: 500 },
  things: 5,
});

const project = `/api/project/${firstId}`;

const lists: [what: string, path: (tasks: number) => string][] = [
  ['the first page of the history', () => `${project}/tasks?limit=50`],
  [
    'a page in the middle of the history',
    (tasks) => `${project}/tasks?limit=50&before=${firstId + tasks / 2}`,
  ],
  ['tasks with a text that every sixth has', () => `${project}/tasks?limit=50&q=firewall`],
  ['tasks with a text that none has', () => `${project}/tasks?limit=50&q=found+nowhere`],
  ['the newest 200 tasks', () => `${project}/tasks/last?limit=200`],
  ['100 templates', () => `${project}/templates`],
  ['the projects', () => '/api/projects'],
];

export async function measureLists(checkout: string): Promise<Opened> {
  const large = await installFilled(checkout, many);
  const small = await installFilled(checkout, few);
  const request =
    ({ call }: Installation, path: string) =>
    () =>
      timed(() => call('GET', path));
  const measures = lists.map(([what, path]): Measure => ({
    what: `${many.toLocaleString('en')} tasks in all: ${what}`,
    unit: 'ms',
    rounds: 100,
    take: request(large, path(many)),
    beside: { name: `${few.toLocaleString('en')} tasks`, take: request(small, path(few)) },
  }));
  return { measures, end: () => Promise.all([large.end(), small.end()]) };
}

/** The code of the checkout fills its own tables. */
async function installFilled(checkout: string, tasks: number): Promise<Installation> {
  const { fillFolder } = (await import(join(checkout, 'scripts/bench/fill.ts'))) as typeof filling;
  return install(checkout, {
    // Some tasks have waited for a confirmation for years, and would be stopped at the start.
    env: { SIGNALBOX_CONFIRM_DAYS: '0' },
    fill: (dataDir) => fillFolder(dataDir, sizeOf(tasks)),
  });
}
