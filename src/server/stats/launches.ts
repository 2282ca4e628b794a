// Tasks of a template by day of launch, for clients of later API versions.

import type { Launches } from '#shared/api/stats.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import type { Context } from '../context/context.ts';
import { hasTemplate } from '../automation/templates/templates.ts';
import { fail } from '../lib/errors.ts';
import { type Launch, listLaunches } from './stats.store.ts';

const MAX_TASKS = 10_000;
const DAY_MS = 86_400_000;

interface Query {
  start: string | null;
  end: string | null;
  user_id?: number | undefined;
}

export async function getLaunches(
  ctx: Context,
  { project_id: projectId, template_id: templateId }: { project_id: number; template_id: number },
  { start, end, user_id: userId }: Query,
): Promise<Launches[]> {
  if (!(await hasTemplate(ctx.db, projectId, templateId))) throw fail('template.not_found');
  const tasks = await listLaunches(ctx.db, templateId, {
    since: start && dayAfter(start, 0),
    until: end && dayAfter(end, 1),
    userId,
    limit: MAX_TASKS,
  });
  const days = Map.groupBy(tasks, ({ created }) => created.slice(0, '2026-11-23'.length));
  return [...days]
    .map(([date, launches]) => ({ date, ...summary(launches) }))
    .toSorted((one, other) => (one.date > other.date ? -1 : 1));
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString();

function summary(launches: Launch[]): Omit<Launches, 'date'> {
  const counts: Partial<Record<TaskStatus, number>> = {};
  for (const { status } of launches) counts[status] = (counts[status] ?? 0) + 1;
  const lengths = launches.flatMap(({ start, end }) =>
    start && end ? [Date.parse(end) - Date.parse(start)] : [],
  );
  const sum = lengths.reduce((total, length) => total + length, 0);
  const average = lengths.length > 0 ? Math.round(sum / lengths.length / 1000) : null;
  return { count_by_status: counts, avg_duration: average };
}
