// Makes templates, tasks and logs for tests of the console, in the demo project.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '#shared/api/tasks.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { createLogChunks } from '../../src/server/automation/tasks/log/log-chunks.ts';
import type { Demo } from './demo.ts';
import { commitFiles, git } from './seed.ts';
import { until } from './until.ts';
import { storeChunks } from './store-chunks.ts';

interface NewTemplate {
  name: string;
  files: Record<string, string>;
  [field: string]: unknown;
}

/** The folder of a template's repository, for further commits. */
export const codeOf = ({ id, server }: Demo, template: string): string =>
  join(server.dataDir, 'repositories', `${id}-${template.replaceAll(' ', '-')}`);

/** A template with these files as its repository. */
export async function addTemplate(demo: Demo, { files, ...fields }: NewTemplate): Promise<number> {
  const { call, api } = demo;
  const folder = codeOf(demo, fields.name);
  await mkdir(folder, { recursive: true });
  await git(folder, 'init', '--quiet');
  await commitFiles(folder, files);
  const [key] = await call<{ id: number }[]>('GET', api('keys'));
  const repository = await call<{ id: number }>('POST', api('repositories'), {
    name: fields.name,
    git_url: folder,
    git_branch: 'main',
    ssh_key_id: key?.id,
  });
  const body = { repository_id: repository.id, ...fields };
  return (await call<{ id: number }>('POST', api('templates'), body)).id;
}

/**
 * Adds a template that runs this program, which is far quicker than Ansible where the app makes no
 * difference.
 */
export const addProgram = (demo: Demo, name: string, text: string, fields = {}): Promise<number> =>
  addTemplate(demo, {
    name,
    files: { 'play.sh': text },
    app: 'bash',
    playbook: 'play.sh',
    ...fields,
  });

/** Adds a template whose tasks wait for a confirmation, so that their status stays as it is. */
export const addHeld = (demo: Demo): Promise<number> =>
  addProgram(demo, 'Held', 'echo done\n', { requires_confirmation: true });

export const launchTask = ({ call, api }: Demo, template_id: number, fields = {}): Promise<Task> =>
  call('POST', api('tasks'), { template_id, ...fields });

export const readTask = ({ call, api }: Demo, id: number): Promise<Task> =>
  call('GET', api(`tasks/${id}`));

export const untilTask = (demo: Demo, id: number, status: Task['status']): Promise<Task> =>
  until(async () => {
    const task = await readTask(demo, id);
    return task.status === status && task;
  });

/** Gives a finished task a log of its own. */
export async function writeLog(
  dataDir: string,
  taskId: number,
  lines: Iterable<string>,
): Promise<number> {
  const db = openDatabase(`sqlite:${join(dataDir, 'signalbox.db')}`);
  // Writes as the runner that had the task would.
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
    await storeChunks(db, { id: taskId, lease }, chunks.take()?.chunks ?? [], progress);
  };
  // The outline of the new log is found in its text.
  for (const table of ['task_log_chunks', 'task_sections'] as const) {
    await db.deleteFrom(table).where('task_id', '=', taskId).execute();
  }
  for (const output of lines) {
    chunks.append({ time, output });
    total += 1;
    if (total % 20_000 === 0) await store();
  }
  await store();
  await db.destroy();
  return total;
}
