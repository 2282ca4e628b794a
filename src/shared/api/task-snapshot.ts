// What a task runs, frozen when it is launched: later edits do not change it.

import type { Environment } from './environments.ts';
import type { Inventory } from './inventories.ts';
import type { Repository } from './repositories.ts';
import type { Template } from './templates.ts';

export interface TaskSnapshot {
  app: string;
  /** What runs it, and what that is always given. */
  program: { path: string; args: string[] };
  type: Template['type'];
  /** Of a build. */
  startVersion: string | null;
  /** Of a deploy: the version that it deploys. */
  incomingVersion: string | null;
  message: string;
  /** Login of who launched it; empty: nobody. */
  username: string;
  templateName: string;
  playbook: string;
  branch: string;
  /** Run this commit instead of the newest of the branch. */
  commit: string | null;
  repository: Pick<Repository, 'id' | 'git_url' | 'ssh_key_id'>;
  inventory: Pick<Inventory, 'type' | 'inventory' | 'ssh_key_id' | 'become_key_id'> | null;
  /** The repository of an inventory file that is not in the template's own. */
  inventoryRepository: Pick<Repository, 'id' | 'git_url' | 'git_branch' | 'ssh_key_id'> | null;
  /** Its secrets are not frozen: they are opened when the run begins. */
  environment: Pick<Environment, 'id' | 'json' | 'env'> | null;
  vaults: { keyId: number; name: string }[];
  arguments: string[];
  limit: string;
  tags: string;
  skipTags: string;
  debug: boolean;
  /** How verbose `debug` makes Ansible; 0 or absent: as usual. */
  debugLevel?: number;
  dryRun: boolean;
  diff: boolean;
  /** Apply what is planned without a confirmation. */
  autoApprove: boolean;
  /** Other tasks of the template may run beside it. */
  allowParallel: boolean;
  /** Seconds; 0: no limit. */
  timeoutS: number;
  /** Seconds before the first further try. */
  retryDelayS: number;
}

/** Answers to the survey of a template, by the name of their variable. */
export type Answer = string | number | boolean;
export type Answers = Record<string, Answer>;
