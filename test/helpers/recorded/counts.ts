// Counts everything of an installation by its API, and reads the logs of its tasks.

import type { TestServer } from '../server.ts';
import type { ApiCall } from '../api-client.ts';
import type { RecordedTask } from './fixture.ts';
import { sha256 } from './fill.ts';

const ofInstallation = ['/api/projects', '/api/users', '/api/user/tokens', '/api/runners'];
const ofProject = [
  'users',
  'keys',
  'repositories',
  'inventory',
  'environment',
  'views',
  'templates',
  'schedules',
  'integrations',
  'alert_channels',
  'tasks',
  'workflows',
  'workflow_runs',
];

/** How many there are of each noun, by the path of its list; without those that the version lacks. */
export async function countNouns(
  call: ApiCall,
  projects: number[],
): Promise<Record<string, number>> {
  const paths = projects.flatMap((id) => ofProject.map((noun) => `/api/project/${id}/${noun}`));
  const counts: Record<string, number> = {};
  for (const path of [...ofInstallation, ...paths]) {
    const list = await call<unknown[]>('GET', path).catch(() => null);
    if (list !== null) counts[path] = list.length;
  }
  return counts;
}

/** The tasks of a project with the sums of their logs, the oldest first. */
export async function readTasks(
  call: ApiCall,
  server: Pick<TestServer, 'address'>,
  { project, token }: { project: number; token: string },
): Promise<RecordedTask[]> {
  const path = `/api/project/${project}/tasks`;
  const list = await call<{ id: number; status: string }[]>('GET', path);
  const tasks: RecordedTask[] = [];
  for (const { id, status } of list.toSorted((one, other) => one.id - other.id)) {
    const answer = await fetch(`${server.address}${path}/${id}/raw_output`, {
      headers: { authorization: `Bearer ${token}` },
    });
    tasks.push({ id, status, log: sha256(await answer.text()) });
  }
  return tasks;
}
