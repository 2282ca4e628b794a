import { views } from '#shared/api/views.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [views.list];

export const viewQueries = {
  list: (projectId: number) => query(views.list, { params: { project_id: projectId } }),
};
export const createView = () => send(views.create, { refresh });
export const updateView = () => send(views.update, { refresh });
export const removeView = () => send(views.remove, { refresh });
export const placeViews = () => send(views.place, { refresh });
