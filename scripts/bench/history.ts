// How fast the list of tasks answers with a million of them, beside the same list with a thousand.

import type { Task } from '#shared/api/tasks.ts';
import { firstId, type Size } from '../../test/helpers/many/rows.ts';
import { fillFolder } from './fill.ts';
import { install, type Installation } from './installation.ts';
import { inTurn, type Row, timed } from './rows.ts';

const many = 1_000_000;
const few = 1000;
const page = 50;
const calls = 200;
/** The first calls of a server are slower; they do not count. */
const unmeasured = 20;

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

export async function measureHistory(): Promise<Row[]> {
  const large = await installFilled(many);
  const small = await installFilled(few);
  const measure = (what: string, query: (tasks: number) => string, found = page) =>
    compare(what, askFor(large, query(many), found), askFor(small, query(few), found));
  try {
    const empty = await measure('a text that no task has', () => '&q=found+nowhere', 0);
    return [
      await measure('its first page', () => ''),
      await measure('a page in the middle', (tasks) => `&before=${firstId + tasks / 2}`),
      await measure('a text that every sixth task has', () => '&q=firewall'),
      // The thousand hold less to search in, so the two do not do the same.
      { ...empty, target: { atMost: 30 } },
    ];
  } finally {
    await small.end();
    await large.end();
  }
}

/** Some tasks have waited for a confirmation for years, and would be stopped at the start. */
const env = { SIGNALBOX_CONFIRM_DAYS: '0' };

const installFilled = (tasks: number): Promise<Installation> =>
  install('SQLite', env, (dataDir) => fillFolder(dataDir, sizeOf(tasks)));

/** Asks for a page of the first project; throws unless it has so many tasks. */
const askFor =
  ({ call }: Installation, query: string, count: number) =>
  async (): Promise<void> => {
    const path = `/api/project/${firstId}/tasks?limit=${page}${query}`;
    const { length } = await call<Task[]>('GET', path);
    if (length !== count) throw new Error(`${path} has ${length} tasks, not ${count}.`);
  };

async function compare(
  what: string,
  ask: () => Promise<void>,
  askOther: () => Promise<void>,
): Promise<Row> {
  const measured = await inTurn(
    calls + unmeasured,
    () => timed(ask),
    () => timed(askOther),
  );
  const [ours, values] = [measured.ours, measured.theirs].map((times) => times.slice(unmeasured));
  return {
    what: `${many.toLocaleString('en')} tasks in the history: ${what}`,
    unit: 'ms',
    ours: ours ?? [],
    baseline: { name: `${few.toLocaleString('en')} tasks`, values: values ?? [] },
    target: { ratioAtMost: 1.5 },
  };
}
