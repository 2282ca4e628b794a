// The states of Terraform and OpenTofu that runners keep: those in use, copies of them, and those that were set aside.
// The content of states never leaves the runner, because it contains secrets in plain text.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, time } from '../fields.ts';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** `copy` and `aside` can replace `current`. */
const kinds = ['current', 'copy', 'aside'] as const;

const toldState = z.object({
  is: z.enum(kinds),
  /** The identifier for the runner. */
  name: z.string().max(1000),
  /** The template that it belongs to; 0: unknown. */
  project_id: count,
  template_id: count,
  workspace: z.string().max(300),
  /** When it was written, copied or set aside. */
  time,
  content: z.enum(['state', 'empty', 'damaged']),
  serial: count.nullable(),
  lineage: z.string().max(100).nullable(),
  /** The number of objects; null: unknown, for example because the state is encrypted. */
  objects: count.nullable(),
  /** The task before whose apply it was copied, or that has left it; null: none. */
  task_id: count.nullable(),
  /** The installation that has set it aside; null: unknown. */
  installation: z.string().max(100).nullable(),
});
export type ToldState = z.output<typeof toldState>;

export const toldStates = z.object({
  states: z.array(toldState).max(1000),
  /** Whether the list is incomplete. */
  is_cut: z.boolean(),
});
export type ToldStates = z.output<typeof toldStates>;

export const takenState = z.object({
  is: z.enum(['done', 'in_use', 'gone', 'unreadable']),
  /** The task that uses the state of the template; null: none. */
  task_id: count.nullable(),
});
export type TakenState = z.output<typeof takenState>;

const keptState = toldState.omit({ installation: true }).extend({
  runner_id: id,
  runner_name: z.string(),
});
export type KeptState = z.output<typeof keptState>;

const keptStateList = z.object({
  states: z.array(keptState),
  is_cut: z.boolean(),
  /** The names of runners that have not responded and may keep more states. */
  silent: z.array(z.string()),
});
export type KeptStates = z.output<typeof keptStateList>;

export const keptStates = {
  ofProject: endpoint.get('/api/project/:project_id/states', {
    permission: 'project.delete',
    summary:
      'The states of Terraform in use that the runners keep for the templates of the project',
    reply: keptStateList,
  }),
  list: endpoint.get('/api/project/:project_id/templates/:template_id/states', {
    permission: 'state.manage',
    summary: 'The states of Terraform that the runners keep for the template, with their copies',
    reply: keptStateList,
  }),
  take: endpoint.post('/api/project/:project_id/templates/:template_id/states', {
    permission: 'state.manage',
    summary: 'Put a copy of a state, or one that was set aside, in the place of the one in use',
    body: z.strictObject({
      is: z.enum(['copy', 'aside']),
      name: z.string().min(1).max(1000),
      workspace: z.string().min(1).max(300),
      runner_id: id,
    }),
    refuses: ['state.in_use', 'state.not_found', 'state.unreadable', 'state.runner_silent'],
  }),
};
