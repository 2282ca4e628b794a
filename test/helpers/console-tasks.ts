// Templates, tasks and logs for tests of the console, in the demo project.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Task } from '#shared/api/tasks.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { createLogChunks } from '../../src/server/runner/log/log-chunks.ts';
import { writeChunks } from '../../src/server/tasks/task-log.store.ts';
import { callApi, type Console } from './console.ts';
import { commitFiles, git } from './seed.ts';
import { until } from './until.ts';

interface NewTemplate {
  name: string;
  files: Record<string, string>;
  [field: string]: unknown;
}

/** A template with these files as its repository. */
export async function addTemplate(
  { server }: Console,
  page: Page,
  { files, ...fields }: NewTemplate,
): Promise<number> {
  const folder = join(server.dataDir, 'repositories', fields.name.replaceAll(' ', '-'));
  await mkdir(folder);
  await git(folder, 'init', '--quiet');
  await commitFiles(folder, files);
  const [key] = await callApi<{ id: number }[]>(page, 'get', '/api/project/1/keys');
  const repository = await callApi<{ id: number }>(page, 'post', '/api/project/1/repositories', {
    name: fields.name,
    git_url: folder,
    git_branch: 'main',
    ssh_key_id: key?.id,
  });
  const body = { repository_id: repository.id, ...fields };
  return (await callApi<{ id: number }>(page, 'post', '/api/project/1/templates', body)).id;
}

/** A template that runs this program: far quicker than Ansible, where it makes no difference. */
export const addProgram = (
  console: Console,
  page: Page,
  name: string,
  text: string,
): Promise<number> =>
  addTemplate(console, page, {
    name,
    files: { 'play.sh': text },
    app: 'bash',
    playbook: 'play.sh',
  });

export const launchTask = (page: Page, templateId: number, fields = {}): Promise<Task> =>
  callApi(page, 'post', '/api/project/1/tasks', { template_id: templateId, ...fields });

export const readTask = (page: Page, id: number): Promise<Task> =>
  callApi(page, 'get', `/api/project/1/tasks/${id}`);

export const untilTask = (page: Page, id: number, status: Task['status']): Promise<Task> =>
  until(async () => {
    const task = await readTask(page, id);
    return task.status === status && task;
  });

/** Gives a finished task a log of its own. */
export async function writeLog(
  dataDir: string,
  taskId: number,
  lines: Iterable<string>,
): Promise<number> {
  const db = openDatabase(`sqlite:${join(dataDir, 'signalbox.db')}`);
  // As if the runner that had it wrote on.
  const { lease } = await db
    .selectFrom('tasks')
    .select('lease')
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow();
  const chunks = createLogChunks(0);
  const time = new Date().toISOString();
  let total = 0;
  const store = async (): Promise<void> => {
    const progress = { log_lines: total, spool_offset: 0 };
    await writeChunks(db, { id: taskId, lease }, chunks.take()?.chunks ?? [], progress);
  };
  await db.deleteFrom('task_log_chunks').where('task_id', '=', taskId).execute();
  for (const output of lines) {
    chunks.append({ time, output });
    total += 1;
    if (total % 20_000 === 0) await store();
  }
  await store();
  await db.destroy();
  return total;
}
