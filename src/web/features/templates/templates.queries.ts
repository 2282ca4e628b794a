import { templates } from '#shared/api/templates.ts';
import { query, queryAll } from '../../lib/query.ts';

export const templateQueries = {
  list: (projectId: number) => queryAll(templates.list, { params: { project_id: projectId } }),
  one: (projectId: number, templateId: number) =>
    query(templates.one, { params: { project_id: projectId, template_id: templateId } }),
};
