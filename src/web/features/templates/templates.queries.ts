import { templates } from '#shared/api/templates.ts';
import { query, queryAll, send } from '../../lib/query.ts';

const refresh = [templates.list, templates.one];

export const templateQueries = {
  list: (projectId: number) => queryAll(templates.list, { params: { project_id: projectId } }),
  one: (projectId: number, templateId: number) =>
    query(templates.one, { params: { project_id: projectId, template_id: templateId } }),
};
export const createTemplate = () => send(templates.create, { refresh });
export const updateTemplate = () => send(templates.update, { refresh });
