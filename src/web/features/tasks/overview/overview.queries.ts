import { overview } from '#shared/api/overview.ts';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { query, send } from '../../../lib/query.ts';
import { readerZone } from '../../../lib/reader-zone.ts';

// The websocket sends changes of the open project only, so all projects are polled.
const everyMs = 5000;
/** For the counts beside the list of projects, and in the sidebar. */
const slowlyMs = 30_000;

export const overviewQueries = {
  /** Without a project, of all projects. */
  tasks: (projectId?: number) => ({
    ...query(overview.tasks, { query: { project_id: projectId } }),
    refetchInterval: everyMs,
  }),
  approvals: (projectId?: number) => ({
    ...query(overview.approvals, { query: { project_id: projectId } }),
    refetchInterval: everyMs,
  }),
  projects: () => ({
    ...query(overview.projects, { query: { time_zone: readerZone() } }),
    refetchInterval: slowlyMs,
  }),
  search: (q: string) => query(overview.search, { query: { q } }),
  pins: () => query(overview.pins),
  livePins: () => ({ ...query(overview.pins), refetchInterval: everyMs }),
};
export const pinTemplate = () => send(overview.pin, { refresh: [overview.pins] });
export const unpinTemplate = () => send(overview.unpin, { refresh: [overview.pins] });
export const decideFromHome = () => send(workflowRuns.decide, { refresh: [overview.approvals] });
