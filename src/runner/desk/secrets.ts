// The secrets of a run, opened: never for an answer, an event or a log.

import type { Answers } from '#shared/api/task-snapshot.ts';

/** A key with its secret. */
export type OpenKey =
  | { type: 'none' }
  | { type: 'login_password'; login: string; password: string }
  | { type: 'ssh'; login: string; passphrase: string; private_key: string };

/** The secrets of an environment, by name: variables of the app, and of the process. */
export interface OpenSecrets {
  variables: Record<string, string>;
  process: Record<string, string>;
}

/** Everything secret that the run of a task needs. */
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
