import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idOf, line, optional } from '../fields.ts';
import { inProject } from './projects.ts';

/** A heading for templates in the console. */
export const view = z.object({
  id,
  project_id: id,
  title: z.string(),
  position: z.number().int(),
});
export type View = z.output<typeof view>;

const position = z.number().int().min(0, { error: 'field.zero_or_more' }).max(1_000_000);

export const newView = z.object({
  title: line(100, 'view.title_required'),
  /** Absent: the last position for a new view, unchanged for an existing one. */
  position: optional(position),
});
export type NewView = z.output<typeof newView>;

/** New positions by the ids of the views. */
const viewPositions = z.record(z.string().regex(/^[1-9]\d{0,14}$/), position);
export type ViewPositions = z.output<typeof viewPositions>;

const params = inProject.extend({ view_id: idOf('view.not_found') });

export const views = {
  list: endpoint.get('/api/project/:project_id/views', {
    permission: 'member',
    summary: 'The views of the project, in their order',
    params: inProject,
    reply: z.array(view),
  }),
  create: endpoint.post('/api/project/:project_id/views', {
    permission: 'manage_resources',
    summary: 'Add a view, behind the others unless `position` says otherwise',
    params: inProject,
    body: newView,
    reply: view,
    status: 201,
    refuses: ['view.title_taken'],
  }),
  place: endpoint.post('/api/project/:project_id/views/positions', {
    permission: 'manage_resources',
    summary: 'Put views into another order, all of them or none',
    params: inProject,
    body: viewPositions,
  }),
  one: endpoint.get('/api/project/:project_id/views/:view_id', {
    permission: 'member',
    summary: 'One view',
    params,
    reply: view,
    versioned: true,
  }),
  update: endpoint.put('/api/project/:project_id/views/:view_id', {
    permission: 'manage_resources',
    summary: 'Change a view',
    params,
    body: newView,
    versioned: true,
    refuses: ['view.title_taken'],
  }),
  remove: endpoint.delete('/api/project/:project_id/views/:view_id', {
    permission: 'manage_resources',
    summary: 'Delete a view; its templates and workflows stay, in no view',
    params,
  }),
};
