// The opened secrets of a run. They are never part of an API response, an event or a log.

import type { Answers } from '#shared/api/task-snapshot.ts';
import type { HostConfigType } from '#shared/git/host-config.ts';

export type OpenKey =
  | { type: 'none' }
  | { type: 'login_password'; login: string; password: string }
  | { type: 'ssh'; login: string; passphrase: string; private_key: string };

/** The secrets of an environment by name: variables of the app, and environment variables of its process. */
export interface OpenSecrets {
  variables: Record<string, string>;
  process: Record<string, string>;
}

/** A key that git uses for an ssh host, or for addresses that begin with a prefix. */
export interface KeyByHost {
  type: HostConfigType;
  host: string;
  /** `none`: the key has no secret yet. */
  key: OpenKey;
}

/** The keys with which git may reach a repository, its submodules and other sources that it names. */
export interface GitKeys {
  own: OpenKey;
  byHost: KeyByHost[];
}

export const noGitKeys: GitKeys = { own: { type: 'none' }, byHost: [] };

export interface RunKeys {
  repository: OpenKey;
  inventoryRepository: OpenKey;
  /** The keys of the project by host; a server of an earlier version has none. */
  byHost?: KeyByHost[];
  user: OpenKey;
  become: OpenKey;
  /** The passwords of the vaults; `none` for a vault whose password a script prints. */
  vaults: OpenKey[];
  environment: OpenSecrets;
  /** The login of the registry of the container's image; absent or `none`: none. */
  registry?: OpenKey;
  /** Answers to secret variables of the survey. */
  answers: Answers;
}
