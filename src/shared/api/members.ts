import { z } from 'zod';
import { roleNames } from '../permissions.ts';
import { endpoint } from './endpoint.ts';
import { id, idOf, isMissing, requiredId } from '../fields.ts';
import { sortedQuery } from './page.ts';

const member = z.object({
  id,
  name: z.string(),
  username: z.string(),
  role: z.enum(roleNames),
  /** Whether a rule for groups assigned the role; rules change it at the next sign-in. */
  from_rules: z.boolean(),
});
export type Member = z.output<typeof member>;

const memberChange = z.object({
  role: z.enum(roleNames, {
    error: (issue) => (isMissing(issue.input) ? 'member.role_required' : undefined),
  }),
});

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
    permission: 'manage_users',
    summary: 'Make a user a member of the project',
    body: newMember,
    refuses: ['member.exists', 'user.not_found'],
  }),
  one: endpoint.get('/api/project/:project_id/users/:user_id', {
    permission: 'member',
    forOthers: true,
    summary: 'One member of the project',
    params,
    reply: member,
  }),
  update: endpoint.put('/api/project/:project_id/users/:user_id', {
    permission: 'manage_users',
    summary: 'Give a member another role; one owner always stays',
    params,
    body: memberChange,
    refuses: ['member.last_owner'],
  }),
  remove: endpoint.delete('/api/project/:project_id/users/:user_id', {
    permission: 'manage_users',
    summary: 'Remove a member from the project; one owner always stays',
    params,
    refuses: ['member.owner_leaves', 'member.last_owner'],
  }),
  leave: endpoint.delete('/api/project/:project_id/me', {
    permission: 'member',
    summary:
      'Leave the project; an owner cannot, except an administrator of the server beside another owner',
    refuses: ['member.not_found', 'member.owner_leaves', 'member.last_owner'],
  }),
};
