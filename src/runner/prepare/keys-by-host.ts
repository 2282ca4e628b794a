// The keys that git uses for single hosts and for addresses with a prefix: their priority, and how programs get
// them. The names of all their files have the same prefix, so that they can be removed again.

import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { keyTypeFor, readHostConfig, type KeyScope } from '#shared/git/host-config.ts';
import type { KeyByHost, OpenKey } from '../api/run-secrets.ts';
import { endHelpers } from '../programs/helpers.ts';
import { KeyNotLoaded, startAgent, type Environment } from '../workspace/credentials.ts';
import type { Workspace } from '../workspace/workspace.ts';

export const filesByHost = 'by-host-';

export interface ScopedKey {
  scope: KeyScope;
  /** As entered by the user. */
  host: string;
  /** `none`: the key has no secret, or its type does not fit the address. */
  key: OpenKey;
}

/** The keys by host, most specific first. */
export function scopeKeys(byHost: KeyByHost[]): ScopedKey[] {
  const scoped = byHost.flatMap(({ type, host, key }): ScopedKey[] => {
    const read = readHostConfig(type, host);
    if (read === null) return [];
    const usual = type === 'url' && read.scheme === 'ssh' ? 22 : null;
    const fits = key.type === keyTypeFor(read);
    const scope = { ...read, port: read.port ?? usual };
    return [{ scope, host, key: fits ? key : { type: 'none' } }];
  });
  return scoped.toSorted((one, other) => weightOf(other.scope) - weightOf(one.scope));
}

/** A longer path has priority; then an address with a login, and a host with a port. */
const weightOf = ({ path, user, port }: KeyScope): number =>
  path.length * 4 + (user === '' ? 0 : 2) + (port === null ? 0 : 1);

export const unusableWords = (host: string): string =>
  `The key for ${host} cannot be used: it has no secret, cannot be loaded, or has another type than ` +
  'the address needs. Set it again in the keys of the project.';

/**
 * Starts an agent for each ssh key; returns its socket for each entry. Empty: no agent, or the key cannot be
 * loaded, which is an error only of connections to its host.
 */
export function startAgents(
  workspace: Workspace,
  keys: ScopedKey[],
  env: Environment,
): Promise<string[]> {
  const started = new Map<string, Promise<string>>();
  return Promise.all(
    keys.map(async ({ key }, index) => {
      if (key.type !== 'ssh') return '';
      const same = JSON.stringify(key);
      const agent =
        started.get(same) ?? socketFor(workspace, { name: `${filesByHost}${index}`, key }, env);
      started.set(same, agent);
      return agent;
    }),
  );
}

async function socketFor(
  workspace: Workspace,
  loaded: Parameters<typeof startAgent>[1],
  env: Environment,
): Promise<string> {
  try {
    return (await startAgent(workspace, loaded, env)).socket;
  } catch (error) {
    if (error instanceof KeyNotLoaded) return '';
    throw error;
  }
}

/** Stops the agents and removes the files, so that later programs of the run cannot use these keys. */
export async function withdrawKeys(workspace: Workspace): Promise<void> {
  await endHelpers(workspace.dir, filesByHost);
  const folders = [workspace.secretPath(filesByHost), workspace.ownPath(filesByHost)].map(dirname);
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    const own = names.filter((name) => name.startsWith(filesByHost));
    for (const name of own) await rm(join(folder, name), { force: true });
  }
}
