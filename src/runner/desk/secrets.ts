// The opened secrets of a run. They never stand in an answer, an event or a log.

import type { Answers } from '#shared/api/task-snapshot.ts';

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

/** All secrets that the run of a task needs. */
export interface RunKeys {
  repository: OpenKey;
  inventoryRepository: OpenKey;
  user: OpenKey;
  become: OpenKey;
  /** The passwords of the vaults; of a vault with a script, no key. */
  vaults: OpenKey[];
  /** The secrets of the environment. */
  environment: OpenSecrets;
  /** Answers to secret variables of the survey. */
  answers: Answers;
}
