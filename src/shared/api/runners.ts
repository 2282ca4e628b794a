import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, time } from './fields.ts';

/** A server that runs tasks: the only one there is, or one of those that share a database. */
export const runner = z.object({
  id,
  /** Always null: it runs tasks of all projects. */
  project_id: id.nullable(),
  name: z.string(),
  /** It is there and is given tasks. */
  active: z.boolean(),
  /** 0: no limit. */
  max_parallel_tasks: z.number().int(),
  /** Always empty. */
  webhook: z.string(),
  version: z.string(),
  /** How many tasks it runs. */
  running: z.number().int(),
  last_seen: time,
});
export type Runner = z.output<typeof runner>;

export const runners = {
  list: endpoint({
    method: 'GET',
    path: '/api/runners',
    permission: 'admin',
    summary: 'Where tasks run, and how many do',
    reply: z.array(runner),
  }),
};
