// Makes a project for the console's tests with everything that a template needs, but no template.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { Console } from './console.ts';
import { commitFiles, git } from './seed.ts';

/** Adds a project without anything in it. */
export async function addProject({ call }: Console, name: string): Promise<number> {
  return (await call<{ id: number }>('POST', '/api/projects', { name })).id;
}

/** The resources that a template names. */
interface Sources {
  repository_id: number;
  inventory_id: number;
  environment_id: number;
}

/** Adds key, repository, inventory and environment; the repository holds these files. */
export async function addResources(
  { server, call }: Console,
  projectId: number,
  files: Record<string, string>,
): Promise<Sources> {
  const folder = join(server.dataDir, 'repositories', `project-${projectId}`);
  await mkdir(folder, { recursive: true });
  await git(folder, 'init', '--quiet');
  await commitFiles(folder, files);
  const add = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `/api/project/${projectId}/${noun}`, body)).id;
  const key = await add('keys', { name: 'No key', type: 'none' });
  return {
    repository_id: await add('repositories', {
      name: 'Playbooks',
      git_url: folder,
      git_branch: 'main',
      ssh_key_id: key,
    }),
    inventory_id: await add('inventory', {
      name: 'This server',
      type: 'static',
      inventory: 'localhost ansible_connection=local ansible_python_interpreter=auto_silent\n',
      ssh_key_id: key,
    }),
    environment_id: await add('environment', { name: 'No variables' }),
  };
}

/** Chooses an option of a list by its words. */
export async function choose(within: Locator, label: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label, exact: true }).click();
  await within.page().getByRole('option', { name: option, exact: true }).click();
}
