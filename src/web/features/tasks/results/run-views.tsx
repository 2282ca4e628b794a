import type { Task } from '#shared/api/tasks.ts';
import { useRunAddress } from './run-address.ts';
import { RunHosts } from './run-hosts.tsx';
import { RunTasks } from './run-tasks.tsx';

export function RunViews({ task, mayRun }: { task: Task; mayRun: boolean }) {
  const { view } = useRunAddress();
  return view === 'hosts' ? <RunHosts task={task} mayRun={mayRun} /> : <RunTasks task={task} />;
}
