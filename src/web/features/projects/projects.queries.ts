import { projects } from '#shared/api/projects.ts';
import { query, send } from '../../lib/query.ts';

export const projectQueries = {
  list: () => query(projects.list),
  rights: (projectId: number) => query(projects.rights, { params: { project_id: projectId } }),
};
export const createProject = () => send(projects.create, { refresh: [projects.list] });
export const updateProject = () => send(projects.update, { refresh: [projects.list] });
export const deleteProject = () => send(projects.remove, { refresh: [projects.list] });
