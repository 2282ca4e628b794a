import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { users } from '#shared/api/users.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [members.list];

export const memberQueries = {
  list: (projectId: number) =>
    query(members.list, {
      params: { project_id: projectId },
      query: { sort: 'name', order: 'asc' },
    }),
  /** Candidates for a new member. */
  users: () => query(users.list, { query: { sort: 'name' } }),
};
export const linkMember = () => send(members.create, { refresh });
// The user's own role may have changed.
export const changeRole = () => send(members.update, { refresh: [...refresh, projects.rights] });
export const removeMember = () => send(members.remove, { refresh });
export const leaveProject = () => send(members.leave);
