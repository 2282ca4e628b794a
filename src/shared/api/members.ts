import { z } from 'zod';
import { anyRole, givenRole } from './roles.ts';
import { endpoint } from './endpoint.ts';
import { id, idOf, requiredId } from '../fields.ts';
import { sortedQuery } from './page.ts';

const member = z.object({
  id,
  name: z.string(),
  username: z.string(),
  /** The slug of a built-in role, or of one's own. */
  role: anyRole,
  /** Whether a rule for groups assigned the role; rules change it at the next sign-in. */
  from_rules: z.boolean(),
});
export type Member = z.output<typeof member>;

const memberChange = z.object({ role: givenRole });

export const newMember = memberChange.extend({ user_id: requiredId('member.user_required') });
export type NewMember = z.output<typeof newMember>;

const params = { user_id: idOf('member.not_found') };

export const members = {
  list: endpoint.get('/api/project/:project_id/users', {
    permission: 'member',
    summary: 'The team of the project',
    query: sortedQuery(['name', 'username', 'role'], ['email']),
    reply: z.array(member),
  }),
  create: endpoint.post('/api/project/:project_id/users', {
    permission: 'member.manage',
    summary: 'Make a user a member of the project',
    body: newMember,
    refuses: ['member.exists', 'user.not_found', 'permission.beyond'],
  }),
  one: endpoint.get('/api/project/:project_id/users/:user_id', {
    permission: 'member',
    forOthers: true,
    summary: 'One member of the project',
    params,
    reply: member,
  }),
  update: endpoint.put('/api/project/:project_id/users/:user_id', {
    permission: 'member.manage',
    summary: 'Give a member another role; one owner always stays',
    params,
    body: memberChange,
    refuses: ['member.last_owner', 'permission.beyond'],
  }),
  remove: endpoint.delete('/api/project/:project_id/users/:user_id', {
    permission: 'member.manage',
    summary: 'Remove a member from the project; one owner always stays',
    params,
    refuses: ['member.owner_leaves', 'member.last_owner', 'permission.beyond'],
  }),
  leave: endpoint.delete('/api/project/:project_id/me', {
    permission: 'member',
    summary:
      'Leave the project; an owner cannot, except an administrator of the server beside another owner',
    refuses: ['member.not_found', 'member.owner_leaves', 'member.last_owner'],
  }),
};
