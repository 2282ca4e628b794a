// The snapshot of a task: everything that it runs, copied at its launch, so later edits do not change it.

import type { Environment } from './environments.ts';
import type { Inventory } from './inventories.ts';
import type { Repository } from './repositories.ts';
import type { Template } from './templates.ts';

type SnapshotEnvironment = Pick<Environment, 'id' | 'json' | 'env'>;

/** Absent in the snapshots of older servers, whose tasks have all submodules. */
type MaybeSubmodules = Partial<Pick<Repository, 'with_submodules'>>;

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
  /** The folder of the repository in which its programs start; empty or absent for the top. */
  workingDirectory?: string;
  branch: string;
  /** The commit to run instead of the newest one of the branch. */
  commit: string | null;
  repository: Pick<Repository, 'id' | 'git_url' | 'ssh_key_id'> & MaybeSubmodules;
  inventory: Pick<Inventory, 'type' | 'inventory' | 'ssh_key_id' | 'become_key_id'> | null;
  /** The repository of an inventory file, if it is not the repository of the template. */
  inventoryRepository:
    | (Pick<Repository, 'id' | 'git_url' | 'git_branch' | 'ssh_key_id'> & MaybeSubmodules)
    | null;
  /** The variables of all environments without the secret ones, which are read when the run begins. */
  environment: SnapshotEnvironment | null;
  /** The environments one by one, if there are several: of a name that two have, the last one counts. */
  environments?: SnapshotEnvironment[];
  /** `script`: the path of the file that prints the password; the key is null then. */
  vaults: { keyId: number | null; script?: string | null; name: string }[];
  /** Whether its programs find in HOME what earlier runs of the project have left there. */
  keepHome?: boolean;
  /** The facts of hosts that the project keeps; absent: none. */
  hostFacts?: string[];
  /** When requirements are installed; absent: when they have changed. */
  installRequirements?: Template['install_requirements'];
  arguments: string[];
  limit: string;
  /**
   * The limit before it was narrowed to these hosts; absent if it was not. `limit` is the narrowed
   * one.
   */
  narrowed?: { limit: string; hosts: string[] };
  /** Whether secret answers were given, which the end of the task wipes; absent: not known. */
  hasSecretAnswers?: boolean;
  /** The names of the answers that are environment variables of its programs; absent: none are. */
  environmentAnswers?: string[];
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
  /** What its programs may use together; 0 for no limit, absent for none at all. */
  limits?: { memoryMib: number; cpuPercent: number; processes: number };
  /** Seconds before the first retry. */
  retryDelayS: number;
  /** Whether a retry runs only on the hosts that failed or were unreachable; absent: on all. */
  retryFailedHosts?: boolean;
  /** Whether a run of Ansible on no host fails; absent: it is a success. */
  failWithoutHosts?: boolean;
}

/**
 * Answers to the survey of a template, by the name of their variable. Variables that the survey does
 * not ask for may be lists and objects.
 */
export type Answer = string | number | boolean | null | Answer[] | { [name: string]: Answer };
export type Answers = Record<string, Answer>;
