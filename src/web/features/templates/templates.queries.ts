import { type Template, templates } from '#shared/api/templates.ts';
import { query, queryAll } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';

export const templateResource = defineResource({
  noun: 'template',
  endpoints: templates,
  refs: templates.refs,
  nameOf: ({ name }: Pick<Template, 'id' | 'name' | 'app'>) => name,
});

export const templateQueries = {
  list: (projectId: number) => queryAll(templates.list, { params: { project_id: projectId } }),
  one: (projectId: number, templateId: number) =>
    query(templates.one, { params: { project_id: projectId, template_id: templateId } }),
};
