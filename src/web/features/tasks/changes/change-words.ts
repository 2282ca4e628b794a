// Describes changes between two tasks in the language of the user.

import { changedSettings, type ChangedSetting, type TaskChange } from '#shared/api/task-changes.ts';
import { t } from '../../../lib/i18n.ts';

const settings: Record<ChangedSetting, () => string> = {
  app: () => t('template.app'),
  arguments: () => t('template.flag.allow_override_args_in_task'),
  auto_approve: () => t('new_task.auto_approve'),
  branch: () => t('new_task.branch'),
  cpu_limit: () => t('template.more.cpu_limit_percent'),
  debug: () => t('new_task.debug'),
  diff: () => t('new_task.diff'),
  dry_run: () => t('new_task.dry_run'),
  environments: () => t('template.column.environment'),
  incoming_version: () => t('task.column.version'),
  install_requirements: () => t('template.requirements.label'),
  inventory_branch: () => t('task.changes.setting.inventory_branch'),
  inventory_repository: () => t('task.changes.setting.inventory_repository'),
  inventory_type: () => t('task.changes.setting.inventory_type'),
  limit: () => t('new_task.limit'),
  memory_limit: () => t('template.more.memory_limit_mib'),
  name: () => t('template.column.name'),
  parallel: () => t('template.more.allow_parallel_tasks'),
  playbook: () => t('template.column.playbook'),
  process_limit: () => t('template.more.process_limit'),
  program: () => t('task.changes.kind.program'),
  repository: () => t('template.column.repository'),
  skip_tags: () => t('new_task.skip_tags'),
  submodules: () => t('repository.submodules'),
  tags: () => t('new_task.tags'),
  timeout: () => t('template.more.timeout_s'),
  type: () => t('template.form.type'),
  vaults: () => t('template.form.vaults'),
  working_directory: () => t('template.form.working_directory'),
};

const isSetting = (name: string): name is ChangedSetting =>
  (changedSettings as readonly string[]).includes(name);

const uses: Record<string, () => string> = {
  repository: settings.repository,
  inventory_repository: settings.inventory_repository,
  user: () => t('inventory.user_credentials'),
  become: () => t('inventory.sudo_credentials'),
  vault: settings.vaults,
};

/** The name of what changed. A setting that a newer server added has its name in the API. */
export function changedSubject({ kind, what }: TaskChange): string {
  if (kind === 'setting') return isSetting(what) ? settings[what]() : what;
  const of = kind === 'runner' ? t('task.fact.runner') : t(`task.changes.kind.${kind}`);
  const named = kind === 'key' ? (uses[what]?.() ?? what) : what;
  return named === '' ? of : `${of}: ${named}`;
}

export function changedValue({ kind }: TaskChange, value: string): string {
  if (kind !== 'setting') return value;
  if (value === 'true') return t('common.yes');
  return value === 'false' ? t('common.no') : value;
}

type Commits = Pick<TaskChange, 'range'>;

/** How the commits of two tasks relate; `isOtherBranch`: the tasks ran different branches. */
export function commitWords({ range }: Commits, isOtherBranch: boolean): string {
  if (range === null) return t('task.changes.commits.unknown');
  const { added, removed } = range;
  if (removed === 0) return t('task.changes.commits.ahead', { added });
  if (added === 0) return t('task.changes.commits.behind', { removed });
  return isOtherBranch
    ? t('task.changes.commits.other', { added, removed })
    : t('task.changes.commits.rewritten', { added, removed });
}
