// The opened secrets of a run. They never stand in an answer, an event or a log.

import type { Answers } from '#shared/api/task-snapshot.ts';
import type { HostConfigType } from '#shared/git/host-config.ts';

/** A key with its secret. */
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

/** The keys with which git may reach a repository and what it leads to. */
export interface GitKeys {
  /** The key of the repository itself. */
  own: OpenKey;
  byHost: KeyByHost[];
}

export const noGitKeys: GitKeys = { own: { type: 'none' }, byHost: [] };

/** All secrets that the run of a task needs. */
export interface RunKeys {
  repository: OpenKey;
  inventoryRepository: OpenKey;
  /** The keys of the project by host; a server of an earlier version has none. */
  byHost?: KeyByHost[];
  user: OpenKey;
  become: OpenKey;
  /** The passwords of the vaults; of a vault with a script, no key. */
  vaults: OpenKey[];
  /** The secrets of the environment. */
  environment: OpenSecrets;
  /** Answers to secret variables of the survey. */
  answers: Answers;
}
