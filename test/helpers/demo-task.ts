// Runs a task of the demo project on a server that is reached over HTTP only.

import { expect } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { isFinished } from '#shared/task-status.ts';
import type { ApiCall } from './api-client.ts';
import { until } from './until.ts';

/** Launches a template of the demo, waits for its success, and checks what Ansible reported of its hosts. */
export async function expectDemoTask(call: ApiCall, projectId: number): Promise<void> {
  const project = `/api/project/${projectId}`;
  const list = await call<Template[]>('GET', `${project}/templates`);
  const template_id = list.find(({ name }) => name === '2. Look at the server')?.id;
  const { id } = await call<Task>('POST', `${project}/tasks`, { template_id });
  const task = await until(async () => {
    const found = await call<Task>('GET', `${project}/tasks/${id}`);
    return isFinished(found.status) && found;
  });
  expect(task.status).toBe('success');
  const hosts = await call<unknown[]>('GET', `${project}/tasks/${id}/hosts`);
  expect(hosts).toHaveLength(1);
}
