import { z } from 'zod';
import type { FieldCode } from '../catalogue/field-errors.ts';
import { kindOf } from '../apps.ts';
import { compatOnly, withCompatFields } from '../compatible/forms.ts';
import { showTemplateForms, shownTemplateForms, templateForms } from '../compatible/templates.ts';
import { crossCheck } from '../cross-check.ts';
import { storedFields } from '../stored-fields.ts';
import { runnerTags } from '../runner-tags.ts';
import { shownSurveyVariable, surveyVariable } from '../survey/survey-variable.ts';
import { templateVault } from '../template-vaults.ts';
import { bulkIds, bulkLaunch, bulkResult } from './bulk.ts';
import { endpoint } from './endpoint.ts';
import {
  argument,
  gitReference,
  hostPattern,
  id,
  initially,
  insidePath,
  jsonArgumentsText,
  line,
  multiline,
  nullable,
  numberUpTo,
  optionalId,
  using,
  requiredId,
  tagNames,
} from '../fields.ts';
import { newestFirstQuery, searchText, sortedQuery } from './page.ts';
import { refsEndpoint } from './references.ts';
import { resourceEndpoints } from './resource-endpoints.ts';
import { task } from './tasks.ts';

export const templateTypes = ['', 'build', 'deploy'] as const;

/** When the roles, collections or packages that the repository requires are installed. */
export const requirementTimes = ['when_changed', 'always', 'never'] as const;

export const MAX_NAME_LENGTH = 100;

const flags = {
  allow_override_args_in_task: initially(z.boolean(), false),
  allow_override_inventory_in_task: initially(z.boolean(), false),
  allow_override_branch_in_task: initially(z.boolean(), false),
  allow_override_execution_environment_in_task: initially(z.boolean(), false),
  allow_override_limit_in_task: initially(z.boolean(), false),
  allow_override_tags_in_task: initially(z.boolean(), false),
  allow_override_skip_tags_in_task: initially(z.boolean(), false),
  allow_auto_approve_in_task: initially(z.boolean(), false),
  // Clients of the older API always offer debug, which grants no further rights.
  allow_debug_in_task: initially(z.boolean(), true),
  /** Whether a launch may set variables that are not in the survey. */
  allow_any_variable_in_task: initially(z.boolean(), false),
  /** Whether tasks of this template may run in parallel. */
  allow_parallel_tasks: initially(z.boolean(), false),
  /** Whether successes cause no alerts. Recoveries still do. */
  suppress_success_alerts: initially(z.boolean(), false),
  /** Whether a retry of an Ansible task runs only on failed and unreachable hosts. */
  retry_failed_hosts: initially(z.boolean(), false),
  /** Whether an Ansible task fails if its inventory cannot be parsed or no host matches. */
  fail_without_hosts: initially(z.boolean(), true),
};

function noRepeats(list: string, names: (string | null)[], refuse: (path: string) => void): void {
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) refuse(`${list}.${index}.name`);
  }
}

const fields = z.object({
  name: line(MAX_NAME_LENGTH, 'name.required'),
  description: initially(multiline(4096), ''),
  app: initially(line(50), 'ansible'),
  type: initially(z.enum(templateTypes), ''),
  /** The file to run; the folder for Terraform and OpenTofu, where empty means the top of the repository. */
  playbook: initially(z.union([z.literal(''), insidePath(255, 'template.playbook_required')]), ''),
  /**
   * The folder of the repository in which programs start, and to which the paths of playbook and vault scripts are
   * relative; empty: the top. Terraform and OpenTofu start in the folder `playbook`.
   */
  working_directory: initially(z.union([z.literal(''), insidePath(255, 'field.path')]), ''),
  /** Null: none; then Ansible uses the inventory in the repository's configuration. */
  inventory_id: using('inventory.use', optionalId).optional(),
  repository_id: using('repository.use', requiredId('template.repository_required')),
  /** The first environment; null: none. */
  environment_id: using('environment.use', optionalId).optional(),
  /** All environments in their order; the last value of a variable wins. */
  environment_ids: using('environment.use', initially(z.array(id).max(20), [])),
  view_id: using('view.see', optionalId),
  /** With which programs its tasks run; null: the default of the project. */
  execution_environment_id: using('execution_environment.use', optionalId),
  /** The version of the first task of a build; each task increments its last number. Null: no versions. */
  start_version: nullable(argument(100)),
  /** The build template of a deploy, which is required for a launch. */
  build_template_id: using('template.see', optionalId),
  /** Whether a deploy is launched after each successful build. */
  autorun: initially(z.boolean(), false),
  /** Whether a task must be confirmed before its first command. */
  requires_confirmation: initially(z.boolean(), false),
  /** For Terraform and OpenTofu: whether the plan is applied without a confirmation. */
  auto_approve: initially(z.boolean(), false),
  git_branch: nullable(gitReference(255)),
  arguments: jsonArgumentsText,
  limit: initially(hostPattern(1024), ''),
  tags: initially(tagNames(1024), ''),
  skip_tags: initially(tagNames(1024), ''),
  survey_vars: initially(z.array(surveyVariable).max(100), []),
  /** `when_changed`: unless an earlier run of the project has installed the same. */
  install_requirements: initially(z.enum(requirementTimes), 'when_changed'),
  vault_key_id: using('key.use', optionalId),
  vaults: initially(z.array(templateVault).max(20), []),
  /** In seconds; 0: no limit. */
  timeout_s: numberUpTo(31_536_000),
  /** The limits of the programs of a task together; 0: only those of the server. */
  memory_limit_mib: numberUpTo(16_777_216),
  /** 100 is one processor. */
  cpu_limit_percent: numberUpTo(100_000),
  process_limit: numberUpTo(4_000_000),
  /** How often a failed task is retried. */
  retries: numberUpTo(10),
  /** The delay of the first retry; it doubles with each retry, up to an hour. */
  retry_delay_s: initially(z.number().int().min(1).max(3600), 10),
  /** The tags that a runner needs; empty: those of the project. */
  runner_tags: using('runner.use', initially(runnerTags, [])),
  /** How many finished tasks are kept, and for how many days; 0: the settings of the server. */
  keep_tasks: numberUpTo(1_000_000),
  keep_days: numberUpTo(36_500),
  ...flags,
});

/** What a new template has where nothing else is given. */
export const templateDefaults = fields
  .omit({ name: true, repository_id: true, vault_key_id: true })
  .parse({});

export const newTemplate = crossCheck(fields, (check) => {
  check(['app', 'playbook'], ({ app, playbook }, refuse) => {
    const isNeeded = kindOf(app) !== 'terraform';
    if (isNeeded && playbook === '') refuse('playbook', 'template.playbook_required');
  });
  check(['app', 'working_directory'], ({ app, working_directory: folder }, refuse) => {
    const isNeeded = kindOf(app) !== 'terraform';
    if (!isNeeded && folder !== '') {
      refuse('working_directory', 'template.working_directory_terraform');
    }
  });
  check(['app', 'inventory_id'], ({ app, inventory_id: inventory }, refuse) => {
    // A client that omits it by mistake must not run on the hosts of the repository's inventory.
    const isLeftOut = kindOf(app) === 'ansible' && inventory === undefined;
    if (isLeftOut) refuse('inventory_id', 'template.inventory_required');
  });
  check(['survey_vars.*.name'], ({ survey_vars: variables }, refuse) => {
    const names = variables.map(({ name }) => name);
    noRepeats('survey_vars', names, (path) => refuse(path, 'survey.name_repeated'));
  });
  check(['vaults.*.name'], ({ vaults }, refuse) => {
    const names = vaults.map(({ name }) => name);
    noRepeats('vaults', names, (path) => refuse(path, 'template.vault_repeated'));
  });
});
export type NewTemplate = z.output<typeof newTemplate>;
export type TemplateFlag = {
  [Name in keyof NewTemplate]-?: NewTemplate[Name] extends boolean ? Name : never;
}[keyof NewTemplate];

/** Fields that the form requires but the schema does not, because clients of other versions omit them. */
export function missingFormFields({
  type,
  start_version: version,
  build_template_id: build,
}: Pick<NewTemplate, 'type' | 'start_version' | 'build_template_id'>): [string, FieldCode][] {
  if (type === 'build' && !version?.trim()) {
    return [['start_version', 'template.start_version_required']];
  }
  return type === 'deploy' && build === null
    ? [['build_template_id', 'template.build_template_required']]
    : [];
}

const { survey_vars: _variables, vaults: _vaults, ...plainFields } = fields.shape;

export const templateFlags = Object.entries(templateDefaults)
  .filter(([, value]) => typeof value === 'boolean')
  .map(([name]) => name as TemplateFlag);

export const template = z.object({
  id,
  project_id: id,
  ...storedFields(plainFields),
  survey_vars: z.array(shownSurveyVariable),
  vaults: z.array(
    z.object({ id, project_id: id, template_id: id, ...storedFields(templateVault.shape) }),
  ),
  /** The number of its tasks. */
  tasks: z.number().int(),
  last_task: task.nullable(),
  last_task_id: id.nullable(),
});
export type Template = z.output<typeof template>;

/** The reply, which also has the fields of later versions of the API. */
const shownTemplate = withCompatFields(
  (one: Template) => showTemplateForms(one),
  template.extend(compatOnly(shownTemplateForms)),
);

const columns = ['name', 'playbook', 'inventory', 'environment', 'repository'] as const;
const listQuery = sortedQuery(columns).extend({
  /** The id of the last template of the previous page, in any order. */
  before: newestFirstQuery.shape.before,
  /** Searched in name, description, playbook and working folder. */
  q: searchText,
});

/** Fields that restrict the runs of a template. */
const keptInTemplate = [
  'limit',
  'tags',
  'skip_tags',
  'arguments',
  'git_branch',
  'runner_tags',
  'survey_vars',
  'vault_key_id',
  'vaults',
  'requires_confirmation',
  'allow_debug_in_task',
  'fail_without_hosts',
  'timeout_s',
  'memory_limit_mib',
  'cpu_limit_percent',
  'process_limit',
  // Clients of other versions do not know these.
  'execution_environment_id',
  'allow_override_execution_environment_in_task',
] as const;

/** What many templates get at once; absent fields keep their values. */
const bulkValues = z.strictObject({
  view_id: using('view.see', id.nullable()).optional(),
  inventory_id: using('inventory.use', id.nullable()).optional(),
  git_branch: gitReference(255).nullable().optional(),
});
export type BulkTemplateValues = z.output<typeof bulkValues>;

const bulkChange = crossCheck(
  z.strictObject({
    action: z.enum(['change', 'delete']),
    ids: using('template.edit', bulkIds),
    /** Required to change templates, and only then. */
    values: bulkValues.optional(),
  }),
  (check) => {
    check(['action', 'values'], ({ action, values }, refuse) => {
      const isGiven = Object.keys(values ?? {}).length > 0;
      if (action === 'change' && !isGiven) refuse('values', 'field.required');
      if (action === 'delete' && isGiven) refuse('values', 'field.unknown');
    });
  },
);

export const templates = {
  ...resourceEndpoints('/api/project/:project_id/templates', 'template', {
    permission: 'template.edit',
    summaries: {
      list: 'The templates of the project, each with its last task, 300 unless `limit` says otherwise',
      create: 'Add a template',
      one: 'One template',
      update: 'Change a template',
      remove: 'Delete a template with its finished tasks and their logs',
    },
    query: listQuery,
    body: newTemplate,
    forms: templateForms,
    kept: keptInTemplate,
    reply: shownTemplate,
    refuses: {
      create: ['template.name_taken', 'request.stale', 'task.field_not_supported'],
      update: ['template.name_taken', 'task.field_not_supported'],
    },
  }),
  ofView: endpoint.get('/api/project/:project_id/views/:view_id/templates', {
    permission: 'member',
    summary: 'The templates of a view, each with its last task, 300 unless `limit` says otherwise',
    query: listQuery,
    reply: z.array(shownTemplate),
  }),
  refs: refsEndpoint('/api/project/:project_id/templates/:template_id', 'a template'),
  bulk: endpoint.post('/api/project/:project_id/templates/bulk', {
    permission: 'template.edit',
    summary: 'Change or delete up to 500 templates; the reply has the result of each',
    body: bulkChange,
    reply: z.array(bulkResult),
  }),
  bulkRun: endpoint.post('/api/project/:project_id/templates/bulk/run', {
    permission: 'template.run',
    summary:
      'Launch a task of each of up to 500 templates, with its own options; the reply has the result of each',
    body: z.strictObject({ ids: using('template.run', bulkIds) }),
    reply: z.array(bulkLaunch),
  }),
};
