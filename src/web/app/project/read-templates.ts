// Asks for the lists of the screen of templates before the screen is drawn.

import { templateQueries } from '../../features/templates/templates.queries.ts';
import { viewQueries } from '../../features/views/views.queries.ts';
import { workflowQueries } from '../../features/workflows/workflows.queries.ts';
import { arrival } from '../../ui/page/arrival.ts';
import { followProject } from '../../lib/live-project.ts';
import { queryClient } from '../../lib/query.ts';

/**
 * Resolves when the lists have been asked for; `isAhead`: a link to the screen is only pointed at. The
 * screen itself tells of a list that cannot be read. The router returns to the place of an old entry
 * as soon as the screen is there, so the rows have to be there too.
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
