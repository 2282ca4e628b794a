// Asks for the lists of the screen of templates before the screen is drawn.

import { templateQueries } from '../../features/templates/templates.queries.ts';
import { viewQueries } from '../../features/views/views.queries.ts';
import { workflowQueries } from '../../features/workflows/workflows.queries.ts';
import { followProject } from '../../lib/live-project.ts';
import { queryClient } from '../../lib/query.ts';

/**
 * Resolves when the lists have been asked for; `isAhead`: a link to the screen is only pointed at. The
 * screen itself tells of a list that cannot be read.
 */
export async function readTemplates(projectId: number, isAhead: boolean): Promise<void> {
  if (!isAhead) await followProject(projectId);
  void queryClient.prefetchQuery(templateQueries.list(projectId));
  void queryClient.prefetchQuery(workflowQueries.list(projectId));
  void queryClient.prefetchQuery(viewQueries.list(projectId));
}
