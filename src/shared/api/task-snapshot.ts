// The snapshot of a task: everything that it runs, copied at its launch, so later edits do not change it.

import type { Environment } from './environments.ts';
import type { Inventory } from './inventories.ts';
import type { Repository } from './repositories.ts';
import type { Template } from './templates.ts';

export interface TaskSnapshot {
  app: string;
  /** The program of its app, and the arguments that the program always gets. */
  program: { path: string; args: string[] };
  type: Template['type'];
  /** The version of a build. */
  startVersion: string | null;
  /** The version that a deploy deploys. */
  incomingVersion: string | null;
  message: string;
  /** Login of the user who launched the task; empty when no user did. */
  username: string;
  templateName: string;
  playbook: string;
  branch: string;
  /** The commit to run instead of the newest one of the branch. */
  commit: string | null;
  repository: Pick<Repository, 'id' | 'git_url' | 'ssh_key_id'>;
  inventory: Pick<Inventory, 'type' | 'inventory' | 'ssh_key_id' | 'become_key_id'> | null;
  /** The repository of an inventory file, if it is not the repository of the template. */
  inventoryRepository: Pick<Repository, 'id' | 'git_url' | 'git_branch' | 'ssh_key_id'> | null;
  /** The environment without its secrets, which are read when the run begins. */
  environment: Pick<Environment, 'id' | 'json' | 'env'> | null;
  vaults: { keyId: number; name: string }[];
  arguments: string[];
  limit: string;
  tags: string;
  skipTags: string;
  debug: boolean;
  /** How verbose `debug` makes Ansible; 0 or absent means the default. */
  debugLevel?: number;
  dryRun: boolean;
  diff: boolean;
  /** Whether a plan is applied without a confirmation. */
  autoApprove: boolean;
  /** Whether other tasks of the template may run at the same time. */
  allowParallel: boolean;
  /** The time limit in seconds; 0 for none. */
  timeoutS: number;
  /** Seconds before the first retry. */
  retryDelayS: number;
}

/** Answers to the survey of a template, by the name of their variable. */
export type Answer = string | number | boolean;
export type Answers = Record<string, Answer>;
