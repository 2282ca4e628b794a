// The tasks of tests: what a test says about one, and everything else as it usually is.

import { noLimits } from '../../src/runner/programs/task-limits.ts';
import { findBuiltIn } from '#shared/apps.ts';
import type { Answers, TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { KeyByHost, OpenKey, OpenSecrets } from '../../src/runner/api/run-secrets.ts';
import {
  newExecutionEnvironment,
  type ExecutionSnapshot,
} from '#shared/api/execution-environments.ts';
import { gitRepository } from '../helpers/seed.ts';
import type { MemoryStore, NewTask } from './memory-store.ts';

type Part =
  | 'repository'
  | 'inventory'
  | 'inventoryRepository'
  | 'environment'
  | 'environments'
  | 'vaults';

export interface TaskInput extends Partial<Omit<TaskSnapshot, Part>> {
  project?: number;
  template?: number;
  /** The programs with which it runs; absent: those of the runner. */
  execution?: Partial<ExecutionSnapshot>;
  /** The login of the registry of its image. */
  registry?: OpenKey;
  /** The files of its repository, unless the address of one is given. */
  files?: Record<string, string>;
  repository?: string;
  /** Whether the submodules of the repository are checked out. */
  withSubmodules?: boolean;
  /** The key of the repository. */
  key?: OpenKey;
  /** The keys by host of the project. */
  byHost?: KeyByHost[];
  /** The text of a static inventory, or one of another type. */
  inventory?: string | Pick<NonNullable<TaskSnapshot['inventory']>, 'type' | 'inventory'> | null;
  inventoryRepository?: { url: string; branch?: string; key?: OpenKey };
  /** The key with which hosts are signed in to, and the one of the user that tasks become there. */
  user?: OpenKey;
  become?: OpenKey;
  vaults?: { name: string; password?: string; script?: string }[];
  /** The variables of the environment and of its process, each a text of JSON. */
  json?: string;
  env?: string;
  secrets?: Partial<OpenSecrets>;
  answers?: Answers;
  secretAnswers?: Answers;
}

/** Puts what is secret into the store, and returns the task that refers to it. */
export async function taskOf(store: MemoryStore, given: TaskInput): Promise<NewTask> {
  const { project = 1, template = 1, files, repository: address, answers, secretAnswers } = given;
  store.byHost.set(project, given.byHost ?? []);
  const repository = address ?? (await gitRepository(files ?? { 'play.yml': 'echo hello\n' }));
  return {
    project_id: project,
    template_id: template,
    snapshot: {
      ...usual,
      ...plainOf(given),
      program: given.program ?? programOf(given.app ?? usual.app),
      repository: {
        id: store.repositoryAt(repository),
        git_url: repository,
        ssh_key_id: keyOf(store, given.key),
        with_submodules: given.withSubmodules ?? true,
      },
      inventory: inventoryOf(store, given),
      inventoryRepository: inventoryRepositoryOf(store, given),
      environment: environmentOf(store, given),
      ...(given.executionEnvironment && { executionEnvironment: given.executionEnvironment }),
      ...(given.narrowed && { narrowed: given.narrowed }),
      ...(given.execution && { executionEnvironment: executionOf(store, given) }),
      vaults: (given.vaults ?? []).map(({ name, password, script }) => ({
        name,
        script: script ?? null,
        keyId: password === undefined ? null : store.addKey(login('', password)),
      })),
    },
    ...(answers && { answers }),
    ...(secretAnswers && { secret: secretAnswers }),
  };
}

export const login = (name: string, password: string): OpenKey => ({
  type: 'login_password',
  login: name,
  password,
});

export const sshKey = (
  private_key: string,
  { login: name = '', passphrase = '' } = {},
): OpenKey => ({
  type: 'ssh',
  login: name,
  passphrase,
  private_key,
});

const usual: Omit<TaskSnapshot, Part | 'program'> = {
  app: 'ansible',
  type: '',
  startVersion: null,
  incomingVersion: null,
  message: '',
  username: 'root',
  templateName: 'Template',
  playbook: 'play.yml',
  workingDirectory: '',
  branch: 'main',
  commit: null,
  keepHome: false,
  hostFacts: [],
  installRequirements: 'when_changed',
  arguments: [],
  limit: '',
  tags: '',
  skipTags: '',
  debug: false,
  dryRun: false,
  diff: false,
  autoApprove: false,
  allowParallel: true,
  timeoutS: 0,
  limits: noLimits,
  retryDelayS: 0,
  failWithoutHosts: false,
};

/** The fields that a snapshot has as they are given. */
const plainOf = (given: TaskInput): Partial<typeof usual> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(usual, name)));

function programOf(app: string): TaskSnapshot['program'] {
  const found = findBuiltIn(app);
  if (!found) throw new Error(`The app ${app} is not built in.`);
  return { path: found.program, args: found.args };
}

const keyOf = (store: MemoryStore, key: OpenKey = { type: 'none' }): number => store.addKey(key);

function executionOf(store: MemoryStore, given: TaskInput): ExecutionSnapshot {
  const name = 'Tools of the test';
  const registry_key_id = given.registry ? keyOf(store, given.registry) : null;
  const fields = newExecutionEnvironment.parse({ kind: 'server', name, ...given.execution });
  return { id: 1, ...fields, registry_key_id };
}

function inventoryOf(store: MemoryStore, given: TaskInput): TaskSnapshot['inventory'] {
  const { inventory = 'localhost ansible_connection=local\n' } = given;
  if (inventory === null) return null;
  const place = typeof inventory === 'string' ? { type: 'static' as const, inventory } : inventory;
  const ssh_key_id = keyOf(store, given.user);
  return { ...place, ssh_key_id, become_key_id: keyOf(store, given.become) };
}

function inventoryRepositoryOf(
  store: MemoryStore,
  { inventoryRepository: given }: TaskInput,
): TaskSnapshot['inventoryRepository'] {
  if (!given) return null;
  const { url, branch = 'main', key } = given;
  const id = store.repositoryAt(url);
  return { id, git_url: url, git_branch: branch, ssh_key_id: keyOf(store, key) };
}

function environmentOf(
  store: MemoryStore,
  { json = '{}', env = '{}', secrets }: TaskInput,
): TaskSnapshot['environment'] {
  const id = store.secrets.size + 1;
  store.secrets.set(id, { variables: {}, process: {}, ...secrets });
  return { id, json, env };
}
