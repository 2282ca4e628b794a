import { templateQueries } from '../../features/templates/templates.queries.ts';
import { viewQueries } from '../../features/views/views.queries.ts';
import { workflowQueries } from '../../features/workflows/workflows.queries.ts';
import { arrival } from '../../ui/page/arrival.ts';
import { followProject } from '../../lib/live-project.ts';
import { queryClient } from '../../lib/query.ts';

/**
 * Prefetches the lists of templates and resolves when the requests have been sent; with `isAhead`,
 * for a link under the pointer. The screen shows a failed read. Going back in the history waits for
 * the rows, because the router restores the scroll position at the first render.
 */
export async function readTemplates(projectId: number, isAhead: boolean): Promise<void> {
  if (!isAhead) await followProject(projectId);
  const [templates, workflows] = [templateQueries.list(projectId), workflowQueries.list(projectId)];
  void queryClient.prefetchQuery(templates);
  void queryClient.prefetchQuery(workflows);
  void queryClient.prefetchQuery(viewQueries.list(projectId));
  if (isAhead || arrival.isNew()) return;
  await Promise.allSettled([
    queryClient.ensureQueryData(templates),
    queryClient.ensureQueryData(workflows),
  ]);
}
