// Takes the snapshot of everything that a task runs, at its launch.

import type { Environment } from '#shared/api/environments.ts';
import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import type { Inventory } from '#shared/api/inventories.ts';
import type { Project } from '#shared/api/projects.ts';
import type { Repository } from '#shared/api/repositories.ts';
import type { NewTask } from '#shared/api/tasks.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { tagArgument } from '#shared/fields.ts';
import { refusedOption } from '#shared/terraform/options.ts';
import { fail } from '../../../lib/errors.ts';
import { parseExactly } from '../../../../node/json/exact-json.ts';
import type { PlainTemplate } from '../../templates/templates.ts';

export interface LaunchParts {
  template: PlainTemplate;
  program: TaskSnapshot['program'];
  repository: Repository;
  inventory: Inventory | null;
  inventoryRepository: Repository | null;
  environments: Environment[];
  /** Null: the programs of the runner. */
  executionEnvironment: ExecutionSnapshot | null;
  username: string;
  incomingVersion: string | null;
  project: Pick<Project, 'keep_home' | 'host_facts'>;
  hasSecretAnswers: boolean;
}

const list = (text: string | null): string[] => (text ? (JSON.parse(text) as string[]) : []);

/** Templates of earlier versions and restored ones may have CLI args that override options of a run. */
function argumentsOf(template: PlainTemplate, launch: NewTask): string[] {
  const args = [...list(template.arguments), ...list(launch.arguments)];
  const refused = refusedOption(template.app, args);
  if (refused) throw fail(`task.argument_${refused.because}`, { option: refused.option });
  return args;
}

/** Later fields win: repository, then template, then launch. */
export function takeSnapshot(parts: LaunchParts, launch: NewTask): TaskSnapshot {
  const { template, repository, inventory, inventoryRepository, environments } = parts;
  return {
    app: template.app,
    program: parts.program,
    type: template.type,
    startVersion: template.start_version || null,
    incomingVersion: parts.incomingVersion,
    message: launch.message,
    username: parts.username,
    templateName: template.name,
    playbook: template.playbook,
    workingDirectory: template.working_directory,
    branch: launch.git_branch || template.git_branch || repository.git_branch,
    commit: launch.commit_hash || null,
    repository: pick(repository, ['id', 'git_url', 'ssh_key_id', 'with_submodules']),
    inventory: inventory && pick(inventory, ['type', 'inventory', 'ssh_key_id', 'become_key_id']),
    inventoryRepository:
      inventoryRepository &&
      pick(inventoryRepository, ['id', 'git_url', 'git_branch', 'ssh_key_id', 'with_submodules']),
    ...mergeEnvironments(environments.map((one) => pick(one, ['id', 'json', 'env']))),
    vaults: template.vaults.map(({ vault_key_id: keyId, script, name }) => ({
      keyId,
      script,
      name: name ?? 'default',
    })),
    ...(parts.executionEnvironment && { executionEnvironment: parts.executionEnvironment }),
    keepHome: parts.project.keep_home,
    hostFacts: parts.project.host_facts,
    installRequirements: template.install_requirements,
    arguments: argumentsOf(template, launch),
    limit: launch.limit || template.limit,
    hasSecretAnswers: parts.hasSecretAnswers,
    ...environmentAnswers(template),
    tags: tagArgument(launch.tags || template.tags),
    skipTags: tagArgument(launch.skip_tags || template.skip_tags),
    debug: launch.debug,
    debugLevel: launch.debug_level,
    dryRun: launch.dry_run,
    diff: launch.diff,
    autoApprove: !template.requires_confirmation && (template.auto_approve || launch.auto_approve),
    allowParallel: template.allow_parallel_tasks,
    timeoutS: template.timeout_s,
    limits: {
      memoryMib: template.memory_limit_mib,
      cpuPercent: template.cpu_limit_percent,
      processes: template.process_limit,
    },
    retryDelayS: template.retry_delay_s,
    retryFailedHosts: template.retry_failed_hosts,
    failWithoutHosts: template.fail_without_hosts,
  };
}

function environmentAnswers({ survey_vars: variables }: PlainTemplate) {
  const names = variables.filter(({ target }) => target === 'env').map(({ name }) => name);
  return names.length > 0 ? { environmentAnswers: names } : {};
}

type Merged = Pick<TaskSnapshot, 'environment' | 'environments'>;

/** Puts environments together, the later ones over the earlier ones. */
function mergeEnvironments(all: NonNullable<Merged['environments']>): Merged {
  const [first, ...further] = all;
  if (!first || further.length === 0) return { environment: first ?? null };
  const merged = (field: 'json' | 'env') =>
    JSON.stringify(
      Object.fromEntries(all.flatMap((one) => Object.entries(parseExactly(one[field])))),
    );
  return {
    environment: { id: first.id, json: merged('json'), env: merged('env') },
    environments: all,
  };
}

function pick<T extends object, K extends keyof T>(value: T, names: K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<T, K>;
}
