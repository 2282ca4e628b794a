import { apps, type App } from '#shared/api/apps.ts';
import { query, send } from '../../lib/query.ts';

export const appQueries = { list: () => query(apps.list) };
export const switchApp = () => send(apps.switch, { refresh: [apps.list] });

/** Why tasks of an app cannot be launched; null if they can, or while it is loaded. */
export function appProblem(
  list: App[] | undefined,
  id: string,
): { reason: 'unavailable' | 'inactive'; app: string } | null {
  const app = list?.find((one) => one.id === id);
  if (!app || (app.active && app.available)) return null;
  return { reason: app.active ? 'unavailable' : 'inactive', app: app.title };
}
