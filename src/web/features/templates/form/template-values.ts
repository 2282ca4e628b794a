// The values of the template form, and the body made from them.

import { hasField, kindOf } from '#shared/apps.ts';
import type { Schedule } from '#shared/api/schedules.ts';
import { type Template, templateDefaults } from '#shared/api/templates.ts';
import type { VaultType } from '#shared/template-vaults.ts';

export const flagNames = [
  'allow_override_inventory_in_task',
  'allow_override_execution_environment_in_task',
  'allow_override_branch_in_task',
  'allow_override_limit_in_task',
  'allow_override_tags_in_task',
  'allow_override_skip_tags_in_task',
  'allow_override_args_in_task',
  'allow_debug_in_task',
  'allow_any_variable_in_task',
  'allow_auto_approve_in_task',
] as const;
export type FlagName = (typeof flagNames)[number];

/** The id of another resource of the project. */
type Reference = number | null;

/** The value of a field in which the user chose "None"; null there means no choice yet. */
export const noneChosen = 0;

/** Numeric settings, whose inputs can be empty while the user types. */
const countNames = [
  'timeout_s',
  'memory_limit_mib',
  'cpu_limit_percent',
  'process_limit',
  'retries',
  'retry_delay_s',
  'keep_tasks',
  'keep_days',
] as const;
export type CountName = (typeof countNames)[number];

/** The schedule that belongs to the template alone. */
export type OwnSchedule = { cron_format: string; time_zone: string; repository_id: Reference };

/** The fields whose inputs have other types than the template. */
type OwnValues = Record<CountName, number | string> & {
  name: string;
  /** May be `noneChosen`. */
  inventory_id: Reference;
  repository_id: Reference;
  /** May be `noneChosen`. */
  environment_id: Reference;
  execution_environment_id: Reference;
  view_id: Reference;
  start_version: string;
  build_template_id: Reference;
  git_branch: string;
  arguments: string;
  vaults: { name: string; type: VaultType; vault_key_id: Reference; script: string }[];
  schedule: OwnSchedule;
};
export type TemplateValues = Omit<typeof templateDefaults, keyof OwnValues> & OwnValues;

/** The initial values of a new template. */
export const newValues: TemplateValues = {
  ...templateDefaults,
  name: '',
  inventory_id: null,
  repository_id: null,
  environment_id: null,
  execution_environment_id: null,
  view_id: null,
  start_version: '',
  build_template_id: null,
  git_branch: '',
  arguments: '',
  vaults: [],
  schedule: { cron_format: '', time_zone: '', repository_id: null },
};

export type SectionId =
  | 'general'
  | 'sources'
  | 'launch'
  | 'schedule'
  | 'execution'
  | 'limits'
  | 'aftermath';

/** The fields of each section of the form. */
export const fieldsOf: Record<SectionId, (keyof TemplateValues)[]> = {
  general: [
    'name',
    'description',
    'app',
    'type',
    'start_version',
    'build_template_id',
    'autorun',
    'view_id',
  ],
  sources: [
    'repository_id',
    'playbook',
    'git_branch',
    'working_directory',
    'inventory_id',
    'environment_id',
    'environment_ids',
    'execution_environment_id',
    'vaults',
    'install_requirements',
    'limit',
    'tags',
    'skip_tags',
    'arguments',
  ],
  launch: ['survey_vars', ...flagNames],
  schedule: ['schedule'],
  execution: [
    'requires_confirmation',
    'auto_approve',
    'allow_parallel_tasks',
    'fail_without_hosts',
    'runner_tags',
  ],
  limits: [
    'timeout_s',
    'memory_limit_mib',
    'cpu_limit_percent',
    'process_limit',
    'retries',
    'retry_delay_s',
    'retry_failed_hosts',
  ],
  aftermath: ['suppress_success_alerts', 'keep_tasks', 'keep_days'],
};

const inputsOf = (template: Template): TemplateValues => {
  const given = new Map<string, unknown>(Object.entries(template));
  const inputs = Object.entries(newValues).map(([name, value]) => [name, given.get(name) ?? value]);
  return Object.fromEntries(inputs) as TemplateValues;
};

export function templateValues(template: Template, schedule: Schedule | null): TemplateValues {
  return {
    ...inputsOf(template),
    inventory_id: template.inventory_id ?? noneChosen,
    environment_id: template.environment_id ?? noneChosen,
    start_version: template.start_version ?? '',
    git_branch: template.git_branch ?? '',
    arguments: template.arguments ?? '',
    vaults: template.vaults.map(({ name, type, vault_key_id, script }) => ({
      name: name ?? '',
      type,
      vault_key_id,
      script: script ?? '',
    })),
    schedule: {
      cron_format: schedule?.cron_format ?? '',
      time_zone: schedule?.time_zone ?? '',
      repository_id: schedule?.repository_id ?? null,
    },
  };
}

/** The fields that need an explicit choice, which may be "None", and their prompts. */
export const askedFields = {
  inventory_id: 'template.form.inventory_required',
  environment_id: 'template.form.environment_required',
} as const;

const countsOf = (values: TemplateValues) =>
  Object.fromEntries(
    countNames.map((name) => [name, values[name] === '' ? null : Number(values[name])]),
  ) as Record<CountName, number | null>;

/** Whether the repository of this app can have requirements: roles, collections or packages. */
export const hasRequirements = (app: string): boolean =>
  ['ansible', 'python'].includes(kindOf(app));

export function templateBody(given: TemplateValues) {
  const { schedule: _schedule, ...values } = given;
  return {
    ...values,
    // Fields that the form hides for this app are sent empty.
    working_directory: kindOf(values.app) === 'terraform' ? '' : values.working_directory,
    limit: hasField(values.app, 'limit') ? values.limit : '',
    tags: hasField(values.app, 'tags') ? values.tags : '',
    skip_tags: hasField(values.app, 'skip_tags') ? values.skip_tags : '',
    auto_approve: hasField(values.app, 'auto_approve') && values.auto_approve,
    install_requirements: hasRequirements(values.app)
      ? values.install_requirements
      : 'when_changed',
    // The schema refuses missing values before this is sent.
    repository_id: values.repository_id as number,
    inventory_id: values.inventory_id || null,
    environment_id: values.environment_id || null,
    build_template_id: values.type === 'deploy' ? values.build_template_id : null,
    start_version: values.type === 'build' ? values.start_version : null,
    // The vault without a name is one of the vaults.
    vault_key_id: null,
    environment_ids: environmentsOf(values),
    retry_failed_hosts: kindOf(values.app) === 'ansible' && values.retry_failed_hosts,
    ...countsOf(given),
  };
}

function environmentsOf({
  environment_id: first,
  environment_ids: all,
}: Pick<TemplateValues, 'environment_id' | 'environment_ids'>): number[] {
  return first ? [first, ...furtherOf(all, first)] : [];
}

/** The further environments, after the first one may have changed. */
export const furtherOf = (all: number[], first: Reference): number[] =>
  all.slice(1).filter((id) => id !== first);

export type TemplateBody = ReturnType<typeof templateBody>;

/** The server's error paths are relative to the schedule, and have the index of each tag. */
export function inputPath(path: string): string {
  if (['cron_format', 'time_zone'].includes(path)) return `schedule.${path}`;
  return path.startsWith('runner_tags.') ? 'runner_tags' : path;
}
