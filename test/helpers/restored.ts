// An installation to back up, and empty places into which its backup is restored.

import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { connectApi, type ApiCall } from './api-client.ts';
import { runInside, type Settings } from './command.ts';
import { ownEngine } from './engine.ts';
import { freshPostgres } from './postgres.ts';
import { folder } from './seed.ts';
import { settingsOf, startServer, type TestServer } from './server.ts';
import { until } from './until.ts';

/** A new data folder, on PostgreSQL with an empty database. */
export async function emptyPlace(): Promise<Settings & { SIGNALBOX_DATA_DIR: string }> {
  const settings = { SIGNALBOX_DATA_DIR: join(await folder(), 'else', 'where') };
  if (ownEngine === 'sqlite') return settings;
  const { url, drop } = await freshPostgres();
  onTestFinished(drop);
  return { ...settings, SIGNALBOX_DATABASE_URL: url };
}

export interface Installation {
  server: TestServer;
  call: ApiCall;
  settings: Settings;
  project: number;
  /** Templates by their names: one that ends, one that goes on until `stop` is there. */
  templates: Record<'hello' | 'long', number>;
}

const scripts = {
  'hello.sh': 'echo "Hello from $(basename "$PWD")"; echo "secret is $TOKEN" | tr a-z A-Z\n',
  'long.sh': 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); echo "line $i"; sleep 0.02; done\n',
};

/** A server with a project whose repository lies in the data folder. */
export async function installation(): Promise<Installation> {
  const server = await startServer();
  const call = await connectApi(server);
  const site = join(server.dataDir, 'repositories', 'site');
  await mkdir(site);
  for (const [name, text] of Object.entries(scripts)) await writeFile(join(site, name), text);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: site,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'One');
  const { id: project } = await call<{ id: number }>('POST', '/api/projects', { name: 'Site' });
  const add = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `/api/project/${project}/${noun}`, body)).id;
  const key = await add('keys', { name: 'None', type: 'none' });
  const repository = await add('repositories', {
    name: 'Site',
    git_url: `file://${site}`,
    git_branch: 'main',
    ssh_key_id: key,
  });
  const environment = await add('environment', {
    name: 'Secrets',
    json: '{}',
    env: '{}',
    secrets: [{ name: 'TOKEN', secret: 'quiet words', type: 'env', operation: 'create' }],
  });
  const fields = { app: 'bash', repository_id: repository, environment_id: environment };
  const hello = await add('templates', { name: 'Hello', playbook: 'hello.sh', ...fields });
  const long = await add('templates', { name: 'Long', playbook: 'long.sh', ...fields });
  const settings = await settingsOf(server.dataDir);
  return { server, call, settings, project, templates: { hello, long } };
}

/** Launches a template and waits until its task has this status. */
export async function runUntil(
  call: ApiCall,
  project: number,
  templateId: number,
  status: Task['status'],
): Promise<Task> {
  const { id } = await call<Task>('POST', `/api/project/${project}/tasks`, {
    template_id: templateId,
  });
  return until(async () => {
    const task = await call<Task>('GET', `/api/project/${project}/tasks/${id}`);
    return task.status === status && task;
  });
}

export const logOf = async (call: ApiCall, project: number, task: number): Promise<string> =>
  (await call<{ output: string }[]>('GET', `/api/project/${project}/tasks/${task}/output`))
    .map(({ output }) => output)
    .join('\n');

/** Makes a backup and a copy of the key in a folder; answers their files. */
export async function backUp(
  settings: Settings,
  into: string,
): Promise<{ file: string; key: string }> {
  const [to, key] = [join(into, 'backups'), join(into, 'signalbox.key')];
  await mkdir(to);
  const made = await runInside(['backup', '--to', to, '--key-to', key], settings);
  if (made.code !== 0) throw new Error(made.error);
  const [name = ''] = await readdir(to);
  return { file: join(to, name), key };
}
