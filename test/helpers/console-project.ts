// A project for the console's tests with everything that a template needs, and none of these.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { callApi, letIn, type Console } from './console.ts';
import { commitFiles, git } from './seed.ts';

/** Adds a project without anything in it. */
export async function addProject(page: Page, name: string): Promise<number> {
  return (await callApi<{ id: number }>(page, 'post', '/api/projects', { name })).id;
}

/** Adds key, repository, inventory and environment; the repository holds these files. */
export async function addResources(
  { server }: Console,
  page: Page,
  projectId: number,
  files: Record<string, string>,
): Promise<void> {
  const folder = join(server.dataDir, 'repositories', `project-${projectId}`);
  await mkdir(folder, { recursive: true });
  await git(folder, 'init', '--quiet');
  await commitFiles(folder, files);
  const add = (noun: string, body: object): Promise<{ id: number }> =>
    callApi(page, 'post', `/api/project/${projectId}/${noun}`, body);
  const { id: key } = await add('keys', { name: 'No key', type: 'none' });
  await add('repositories', {
    name: 'Playbooks',
    git_url: folder,
    git_branch: 'main',
    ssh_key_id: key,
  });
  await add('inventory', {
    name: 'This server',
    type: 'static',
    inventory: 'localhost ansible_connection=local ansible_python_interpreter=auto_silent\n',
    ssh_key_id: key,
  });
  await add('environment', { name: 'No variables' });
}

/** Chooses an option of a list by its words. */
export async function choose(within: Locator, label: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label, exact: true }).click();
  await within.page().getByRole('option', { name: option, exact: true }).click();
}

/** A page of the administrator, which shows nothing yet. */
export async function enter({ open, server }: Console): Promise<Page> {
  const page = await open(null);
  await letIn(page, 'admin', server.password);
  return page;
}
