// Makes projects with something in them, and git repositories to run.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { projects } from '#shared/api/projects.ts';
import { repositories } from '#shared/api/repositories.ts';
import { templates, type Template } from '#shared/api/templates.ts';
import type { CallOf } from '#shared/api/endpoint.ts';
import type { Caller } from './app.ts';

const run = promisify(execFile);

const gitIdentity = [
  '-c',
  'user.name=Test',
  '-c',
  'user.email=test@example.com',
  '-c',
  'init.defaultBranch=main',
  '-c',
  'maintenance.auto=false',
];

/** Runs git in a folder, as the person who commits in the tests. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await run('git', [...gitIdentity, ...args], { cwd })).stdout.trim();
}

/** A folder that is removed when the test ends. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'signalbox-files-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Writes files, given by their paths, and commits them. */
export async function commitFiles(
  path: string,
  files: Record<string, string>,
  message = 'Change files',
): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '--message', message);
  return git(path, 'rev-parse', 'HEAD');
}

/** A git repository with these files. */
export async function gitRepository(files: Record<string, string>): Promise<string> {
  const path = await folder();
  await cp(await repositoryOf(files), path, { recursive: true });
  return path;
}

let originalsFolder: string | undefined;

/** The folder of the repositories that are copied; it is removed with this process. */
function originals(): string {
  if (originalsFolder !== undefined) return originalsFolder;
  const path = mkdtempSync(join(tmpdir(), 'signalbox-originals-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  originalsFolder = path;
  return path;
}

/** Repositories that are copied, by their files: a copy starts no program. */
const made = new Map<string, Promise<string>>();

function repositoryOf(files: Record<string, string>): Promise<string> {
  const key = JSON.stringify(files);
  const known = made.get(key) ?? makeRepository(files);
  made.set(key, known);
  return known;
}

async function makeRepository(files: Record<string, string>): Promise<string> {
  const path = join(originals(), String(made.size));
  await mkdir(path);
  // Without the example hooks, which take most of the space in a new repository.
  await git(path, 'init', '--quiet', '--template=');
  await commitFiles(path, files, 'First commit');
  return path;
}

export interface Seed {
  projectId: number;
  keyId: number;
  repositoryId: number;
  inventoryId: number;
  environmentId: number;
  /** Adds a template to the project, by default of the playbook `play.yml`. */
  template: (fields?: Partial<CallOf<typeof templates.create>['body']>) => Promise<Template>;
}

let projectCount = 0;

/**
 * Makes a project with one of each thing; its repository contains these files, or does not exist.
 */
export async function seedProject(
  caller: Caller,
  files: Record<string, string> | null = { 'play.yml': 'echo hello\n' },
): Promise<Seed> {
  projectCount += 1;
  const { id: projectId } = await caller.call(projects.create, {
    body: { name: `Project ${projectCount}` },
  });
  const params = { project_id: projectId };
  const key = await caller.call(keys.create, { params, body: { name: 'Nothing', type: 'none' } });
  const repository = await caller.call(repositories.create, {
    params,
    body: {
      name: 'Code',
      git_url: files ? await gitRepository(files) : 'https://example.com/code.git',
      git_branch: 'main',
      ssh_key_id: key.id,
    },
  });
  const inventory = await caller.call(inventories.create, {
    params,
    body: {
      name: 'Hosts',
      type: 'static',
      inventory: 'localhost ansible_connection=local\n',
      ssh_key_id: key.id,
    },
  });
  const environment = await caller.call(environments.create, {
    params,
    body: { name: 'Variables' },
  });
  let templateCount = 0;
  return {
    projectId,
    keyId: key.id,
    repositoryId: repository.id,
    inventoryId: inventory.id,
    environmentId: environment.id,
    template(fields = {}) {
      templateCount += 1;
      return caller.call(templates.create, {
        params,
        body: {
          name: `Template ${templateCount}`,
          playbook: 'play.yml',
          repository_id: repository.id,
          inventory_id: inventory.id,
          environment_id: environment.id,
          ...fields,
        },
      });
    },
  };
}
