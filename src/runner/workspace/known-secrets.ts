// Finds the secrets that the log of a run must mask: the current ones, and those that an earlier runner or step has used,
// since a program may still print a secret that was changed.

import { readFile } from 'node:fs/promises';
import type { Answer } from '#shared/api/task-snapshot.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { proxySecrets, secretsInAddresses } from '../../node/net/proxies.ts';
import { secretsOf } from './credentials.ts';
import type { RunContext } from '../api/runner-api.ts';
import { findWorkspace, serversOwn, type Workspace } from './workspace.ts';
import type { RunKeys } from '../api/run-secrets.ts';

export async function knownSecrets(
  { config }: Pick<RunContext, 'config'>,
  task: RunnerTask,
  keys: RunKeys,
): Promise<string[]> {
  const workspace = await findWorkspace(config, task.id);
  const text =
    workspace && (await readFile(workspace.secretPath(serversOwn), 'utf8').catch(() => null));
  const before = text ? (JSON.parse(text) as string[]) : [];
  return [...new Set([...before, ...secretsNow(keys), ...secretsOfService(config)])];
}

/** Keeps the secrets for the next runner that resumes this run. */
export async function keepKnown(workspace: Workspace, secrets: string[]): Promise<void> {
  // A reboot removes the folder, but also ends all programs that could print the secrets.
  await workspace.writeSecret(serversOwn, JSON.stringify(secrets)).catch(() => undefined);
}

/** The logins in addresses in the environment of the service, such as that of a proxy. */
function secretsOfService({ proxies, taskEnvironment }: RunnerConfig): string[] {
  return [...proxySecrets(proxies), ...Object.values(taskEnvironment).flatMap(secretsInAddresses)];
}

function secretsNow(keys: RunKeys): string[] {
  const { repository, inventoryRepository, byHost = [], environment, answers } = keys;
  const { user, become, vaults } = keys;
  const hosts = byHost.map(({ key }) => key);
  const all = [repository, inventoryRepository, ...hosts, user, become, ...vaults];
  const ofKeys = all.flatMap(secretsOf);
  const ofVariables = [environment.variables, environment.process, answers];
  return [...ofKeys, ...ofVariables.flatMap(textsIn)];
}

function textsIn(value: Answer): string[] {
  if (typeof value === 'object') return Object.values(value ?? {}).flatMap(textsIn);
  return [String(value)];
}
