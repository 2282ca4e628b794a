import { z } from 'zod';
import { roleNames } from '../permissions.ts';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { sortedQuery } from './page.ts';
import { inProject } from './projects.ts';

export const member = z.object({
  /** The id of the user. */
  id,
  name: z.string(),
  username: z.string(),
  role: z.enum(roleNames),
});
export type Member = z.output<typeof member>;

export const members = {
  list: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/users',
    permission: 'member',
    summary: 'The team of the project',
    params: inProject,
    query: sortedQuery(['name', 'username', 'role']),
    reply: z.array(member),
  }),
};
