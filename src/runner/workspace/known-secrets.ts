// What is hidden in the log of a run: the secrets of now, and those that it was given before, by an
// earlier server or before a confirmation. One that was changed meanwhile may still be printed.

import { readFile } from 'node:fs/promises';
import type { Answer } from '#shared/api/task-snapshot.ts';
import type { RunnerTask } from '#shared/api/runner-desk.ts';
import { secretsOf } from './credentials.ts';
import type { RunContext } from '../desk/desk.ts';
import { findWorkspace, serversOwn, type Workspace } from './workspace.ts';
import type { RunKeys } from '../desk/secrets.ts';

export async function knownSecrets(
  { config }: Pick<RunContext, 'config'>,
  task: RunnerTask,
  keys: RunKeys,
): Promise<string[]> {
  const workspace = await findWorkspace(config, task.id);
  const text =
    workspace && (await readFile(workspace.secretPath(serversOwn), 'utf8').catch(() => null));
  const before = text ? (JSON.parse(text) as string[]) : [];
  return [...new Set([...before, ...secretsNow(keys)])];
}

/** Keeps them for the next one who reads of this run, where all its secrets lie. */
export async function keepKnown(workspace: Workspace, secrets: string[]): Promise<void> {
  // A reboot takes the folder, and whatever could print them.
  await workspace.writeSecret(serversOwn, JSON.stringify(secrets)).catch(() => undefined);
}

function secretsNow(keys: RunKeys): string[] {
  const { repository, inventoryRepository, user, become, vaults, environment, answers } = keys;
  const ofKeys = [repository, inventoryRepository, user, become, ...vaults].flatMap(secretsOf);
  const ofVariables = [environment.variables, environment.process, answers];
  return [...ofKeys, ...ofVariables.flatMap(textsIn)];
}

/** All texts and numbers in a value. */
function textsIn(value: Answer): string[] {
  if (typeof value === 'object') return Object.values(value ?? {}).flatMap(textsIn);
  return [String(value)];
}
