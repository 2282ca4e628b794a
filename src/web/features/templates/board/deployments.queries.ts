import { stats } from '#shared/api/stats.ts';
import { query } from '../../../lib/query.ts';

export const deploymentQueries = {
  ofProject: (projectId: number) =>
    query(stats.deployments, { params: { project_id: projectId }, query: {} }),
  ofBuild: (projectId: number, buildTemplateId: number) =>
    query(stats.deployments, {
      params: { project_id: projectId },
      query: { build_template_id: buildTemplateId },
    }),
};
