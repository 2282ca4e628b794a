import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { resourceEndpoints } from './resource-endpoints.ts';
import { id, line, optional } from '../fields.ts';

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

export const views = {
  ...resourceEndpoints('/api/project/:project_id/views', 'view', {
    permission: 'view.edit',
    summaries: {
      list: 'The views of the project, in their order',
      create: 'Add a view, behind the others unless `position` says otherwise',
      one: 'One view',
      update: 'Change a view',
      remove: 'Delete a view; its templates and workflows stay, in no view',
    },
    query: z.object({}),
    body: newView,
    reply: view,
    refuses: { create: ['view.title_taken'], update: ['view.title_taken'] },
  }),
  place: endpoint.post('/api/project/:project_id/views/positions', {
    permission: 'view.edit',
    summary: 'Put views into another order, all of them or none',
    body: viewPositions,
  }),
};
