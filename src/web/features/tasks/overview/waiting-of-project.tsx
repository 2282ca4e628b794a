import { useQuery } from '@tanstack/react-query';
import { overviewQueries } from './overview.queries.ts';
import { WaitingList } from './waiting-list.tsx';

/** What waits for the user in one project; nothing if nothing waits. */
export function WaitingOfProject({ projectId }: { projectId: number }) {
  const { data } = useQuery(overviewQueries.tasks(projectId));
  const { data: approvals = [] } = useQuery(overviewQueries.approvals(projectId));
  const tasks = data?.to_confirm ?? [];
  if (tasks.length + approvals.length === 0) return null;
  return <WaitingList tasks={tasks} approvals={approvals} ofProject />;
}
