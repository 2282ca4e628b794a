import { pathOf } from '#shared/api/path.ts';
import { events } from '#shared/api/events.ts';
import { queryPage } from '../../lib/query.ts';
import { type EventFilter, toQuery } from './event-filter.ts';

const pageSize = 20;
// The websocket sends no events of all projects, so the newest page is polled.
const every = 10_000;

export const eventQueries = {
  page(projectId: number | undefined, filter: EventFilter, before?: number) {
    const query = { ...toQuery(filter), before, limit: pageSize };
    return projectId === undefined
      ? { ...queryPage(events.list, { query }), refetchInterval: before ? (false as const) : every }
      : queryPage(events.ofProject, { params: { project_id: projectId }, query });
  },
};

export const exportFormats = ['csv', 'json'] as const;

export function exportPath(
  projectId: number | undefined,
  filter: EventFilter,
  format: (typeof exportFormats)[number],
): string {
  const query = { ...toQuery(filter), format };
  return projectId === undefined
    ? pathOf(events.export, { query })
    : pathOf(events.exportOfProject, { params: { project_id: projectId }, query });
}
