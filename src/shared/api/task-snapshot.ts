// The snapshot of a task: everything that it runs, copied at its launch, so that later changes do not affect it.

import type { Environment } from './environments.ts';
import type { ExecutionSnapshot } from './execution-environments.ts';
import type { Inventory } from './inventories.ts';
import type { Repository } from './repositories.ts';
import type { Template } from './templates.ts';

type SnapshotEnvironment = Pick<Environment, 'id' | 'json' | 'env'>;

/** Absent in snapshots of older servers, whose tasks check out all submodules. */
type MaybeSubmodules = Partial<Pick<Repository, 'with_submodules'>>;

export interface TaskSnapshot {
  app: string;
  /** The program of its app, and the arguments before all others. */
  program: { path: string; args: string[] };
  type: Template['type'];
  startVersion: string | null;
  incomingVersion: string | null;
  message: string;
  /** Login of the user who launched the task; empty: no user did. */
  username: string;
  templateName: string;
  playbook: string;
  /** The folder of the repository in which its programs start; empty or absent: the top. */
  workingDirectory?: string;
  branch: string;
  /** The commit to run instead of the newest one of the branch. */
  commit: string | null;
  repository: Pick<Repository, 'id' | 'git_url' | 'ssh_key_id'> & MaybeSubmodules;
  inventory: Pick<Inventory, 'type' | 'inventory' | 'ssh_key_id' | 'become_key_id'> | null;
  /** The repository of an inventory file; null: the template's. */
  inventoryRepository:
    | (Pick<Repository, 'id' | 'git_url' | 'git_branch' | 'ssh_key_id'> & MaybeSubmodules)
    | null;
  /** The merged variables of all environments without secrets, which are read when the run begins. */
  environment: SnapshotEnvironment | null;
  /** Each of several environments; the last value of a variable wins. */
  environments?: SnapshotEnvironment[];
  /** `script`: the path of the file that prints the password; then the key is null. */
  vaults: { keyId: number | null; script?: string | null; name: string }[];
  /** The programs of the task; absent or of the kind `server`: those of its runner. */
  executionEnvironment?: ExecutionSnapshot;
  /** Whether programs of tasks of the project share a HOME that is kept. */
  keepHome?: boolean;
  /** The facts of hosts that the project keeps; absent: none. */
  hostFacts?: string[];
  /** When requirements are installed; absent: `when_changed`. */
  installRequirements?: Template['install_requirements'];
  arguments: string[];
  limit: string;
  /** The limit before it was restricted to these hosts; absent: not restricted. `limit` is the restricted one. */
  narrowed?: { limit: string; hosts: string[] };
  /** Whether there are secret answers, which are deleted at the end of the task; absent: unknown. */
  hasSecretAnswers?: boolean;
  /** The answers that are environment variables; absent: none. */
  environmentAnswers?: string[];
  tags: string;
  skipTags: string;
  debug: boolean;
  /** The verbosity of Ansible with `debug`; 0 or absent: the default. */
  debugLevel?: number;
  dryRun: boolean;
  diff: boolean;
  autoApprove: boolean;
  /** Whether other tasks of the template may run at the same time. */
  allowParallel: boolean;
  /** In seconds; 0: no limit. */
  timeoutS: number;
  /** The limits of its programs together; 0 or absent: no limit. */
  limits?: { memoryMib: number; cpuPercent: number; processes: number };
  retryDelayS: number;
  /** Whether a retry runs only on failed and unreachable hosts. */
  retryFailedHosts?: boolean;
  /** Whether an Ansible run on no host fails. */
  failWithoutHosts?: boolean;
}

/** Answers to a survey, by variable. Variables that are not in the survey may be lists and objects. */
export type Answer = string | number | boolean | null | Answer[] | { [name: string]: Answer };
export type Answers = Record<string, Answer>;
