import { queryOptions } from '@tanstack/react-query';
import { type LastRuns, MAX_LAST_RUNS_TEMPLATES, stats } from '#shared/api/stats.ts';
import type { Template } from '#shared/api/templates.ts';
import { request } from '../../lib/api.ts';
import { batched } from '../../lib/batch.ts';

type Key = Pick<Template, 'id' | 'project_id'>;

/** All rows of a list that are shown at once share a call. */
const readLastRuns = batched(MAX_LAST_RUNS_TEMPLATES, async (keys: Key[]) => {
  const projects = Map.groupBy(keys, ({ project_id: id }) => id);
  const found = await Promise.all(
    [...projects].map(([projectId, templates]) => {
      const ids = templates.map(({ id }) => id).join(',');
      const params = { project_id: projectId };
      return request(stats.lastRuns, { params, query: { templates: ids } });
    }),
  );
  const runsOf = new Map(
    found.flatMap(({ templates }) => templates).map((runs) => [runs.template_id, runs]),
  );
  return new Map(keys.map((key): [Key, LastRuns | null] => [key, runsOf.get(key.id) ?? null]));
});

/** The last runs of a template, read again when its last task changes. */
export const lastRunsQuery = (template: Key & Pick<Template, 'last_task'>) =>
  queryOptions({
    queryKey: [
      stats.lastRuns.path,
      { project_id: template.project_id },
      { template: template.id, task: template.last_task?.id, status: template.last_task?.status },
    ],
    queryFn: () => readLastRuns(template),
    placeholderData: (before) => before,
  });
