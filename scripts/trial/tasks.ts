// Runs tasks on a server in a container or on another machine, by its API.

import { isFinished } from '#shared/task-status.ts';
import { type ApiCall, connectApi } from '../../test/helpers/api-client.ts';
import { until } from '../../test/helpers/until.ts';

export interface Ended {
  status: string;
  log: string;
}

interface Named {
  id: number;
  name: string;
}

/** Waits until a server is ready; throws an error with its output if it is not in time. */
export async function untilReady(address: string, printed: () => string): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const checks = await Promise.all(
      ['/healthz', '/readyz'].map((path) =>
        fetch(address + path).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    if (checks.every(Boolean)) return;
    if (Date.now() > deadline) throw new Error(`The server is not ready:\n${printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export const signIn = (address: string, password: string): Promise<ApiCall> =>
  connectApi({ address, password });

/** Launches a template and returns the id of the task. */
export const launch = async (call: ApiCall, project: number, template: number): Promise<number> =>
  (await call<Named>('POST', `/api/project/${project}/tasks`, { template_id: template })).id;

export const untilLogged = (call: ApiCall, project: number, task: number, text: string) =>
  until(async () => (await logOf(call, project, task)).includes(text));

export async function ended(call: ApiCall, project: number, task: number): Promise<Ended> {
  const status = await until(async () => {
    const now = await call<{ status: string }>('GET', `/api/project/${project}/tasks/${task}`);
    return isFinished(now.status as Parameters<typeof isFinished>[0]) && now.status;
  });
  return { status, log: await logOf(call, project, task) };
}

async function logOf(call: ApiCall, project: number, task: number): Promise<string> {
  const lines = await call<{ output: string }[]>(
    'GET',
    `/api/project/${project}/tasks/${task}/output`,
  );
  return lines.map(({ output }) => output).join('\n');
}

/** A template for a script of a repository, and what differs from the defaults. */
export interface ScriptTemplate {
  name: string;
  playbook: string;
  memory_limit_mib?: number;
  cpu_limit_percent?: number;
  process_limit?: number;
}

/** Creates the demo project with templates for scripts of a local repository. */
export async function createDemo(call: ApiCall, repository: string, scripts: ScriptTemplate[]) {
  const { id: project } = await call<Named>('POST', '/api/projects', { name: 'Demo', demo: true });
  const below = `/api/project/${project}`;
  const key = await call<Named>('POST', `${below}/keys`, { name: 'No key', type: 'none' });
  const fields = { name: 'Code', git_url: repository, ssh_key_id: key.id };
  const { id } = await call<Named>('POST', `${below}/repositories`, fields);
  for (const script of scripts) {
    await call('POST', `${below}/templates`, { ...script, app: 'bash', repository_id: id });
  }
  const templates = await call<Named[]>('GET', `${below}/templates`);
  const byName = (name: string): number => {
    const found = templates.find((one) => one.name === name);
    if (!found) throw new Error(`There is no template "${name}".`);
    return found.id;
  };
  return { project, byName };
}
