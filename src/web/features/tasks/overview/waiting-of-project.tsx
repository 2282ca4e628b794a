import { useQuery } from '@tanstack/react-query';
import { overviewQueries } from './overview.queries.ts';
import { WaitingList } from './waiting-list.tsx';

/** What waits for the user in one project; nothing if nothing waits. */
export function WaitingOfProject({ projectId }: { projectId: number }) {
  const { data } = useQuery(overviewQueries.tasks());
  const { data: approvals = [] } = useQuery(overviewQueries.approvals());
  const isOwn = (one: { project_id: number }) => one.project_id === projectId;
  const own = { tasks: (data?.to_confirm ?? []).filter(isOwn), approvals: approvals.filter(isOwn) };
  if (own.tasks.length + own.approvals.length === 0) return null;
  return <WaitingList {...own} ofProject />;
}
