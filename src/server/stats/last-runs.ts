// The newest runs of templates, for the strips of their list.

import { type LastRuns, MAX_LAST_RUNS, MAX_LAST_RUNS_TEMPLATES } from '#shared/api/stats.ts';
import type { Context } from '../context/context.ts';
import { median, took } from './durations.ts';
import { type LastRunRow, listLastRuns, listNextRuns, listTemplateIds } from './stats.store.ts';

export async function getLastRuns(
  { db, clock }: Context,
  projectId: number,
  { templates: asked }: { templates?: number[] | undefined },
): Promise<{ templates: LastRuns[] }> {
  const templateIds = await listTemplateIds(db, projectId, asked, MAX_LAST_RUNS_TEMPLATES);
  if (templateIds.length === 0) return { templates: [] };
  const [rows, next] = await Promise.all([
    listLastRuns(db, projectId, { templateIds, limit: MAX_LAST_RUNS }),
    listNextRuns(db, projectId, templateIds),
  ]);
  const now = clock.now().toISOString();
  const byTemplate = Map.groupBy(rows, ({ template_id: id }) => id);
  const templates = templateIds.map((id) => ({
    template_id: id,
    ...summarizeRuns(byTemplate.get(id) ?? [], now),
    next_run: next.get(id) ?? null,
  }));
  return { templates };
}

function summarizeRuns(
  rows: LastRunRow[],
  now: string,
): Omit<LastRuns, 'template_id' | 'next_run'> {
  const runs = rows.map(({ id, status, created, start, end }) => ({
    id,
    status,
    created,
    duration_s: start === null ? null : took({ start, end: end ?? now }),
  }));
  const lengths = runs.flatMap(({ status, duration_s: length }) =>
    status === 'success' && length !== null ? [length] : [],
  );
  const successes = runs.filter(({ status }) => status === 'success').length;
  const failures = runs.filter(({ status }) => status === 'error').length;
  const ended = successes + failures;
  return { runs, median_s: median(lengths), success_rate: ended > 0 ? successes / ended : null };
}
