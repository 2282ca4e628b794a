// Any template that the API accepts and keeps as it is, with every field of the form.

import * as fc from 'fast-check';
import { type NewTemplate, requirementTimes, templateTypes } from '#shared/api/templates.ts';
import { surveyTypes } from '#shared/survey/survey-types.ts';
import { hasField, kindOf } from '#shared/apps.ts';

interface Ids {
  keys: number[];
  inventory: number;
  repository: number;
  environment: number;
  further: number[];
  view: number;
  execution?: number;
  build: number;
}

const word = fc.stringMatching(/^[a-z_][a-z0-9_]{0,12}$/);
const path = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
// Characters with a meaning in files, shells, SQL or JSON, and letters of all kinds.
const signs = fc.constantFrom(
  'a',
  'Z',
  '0',
  ' ',
  "'",
  '"',
  '\\',
  '%',
  '_',
  '$',
  ';',
  'ß',
  '🚂',
  '<',
);
const text = fc.string({ unit: signs, maxLength: 20 }).map((value) => value.trim());
const title = text.map((value) => `T${value}`);
const lines = fc.array(text, { maxLength: 3 }).map((parts) => parts.join('\n'));
const count = fc.integer({ min: 0, max: 10 });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 2 });
const flag = fc.boolean();

function defaultOf(type: (typeof surveyTypes)[number], choice: string): string {
  if (type === 'secret') return '';
  if (type === 'int' || type === 'integer') return '7';
  return type === 'boolean' ? 'true' : choice;
}

const variable: fc.Arbitrary<NewTemplate['survey_vars'][number]> = fc
  .record({
    name: word,
    title,
    description: text,
    type: fc.constantFrom(...surveyTypes),
    required: flag,
    choices: fc.array(fc.record({ name: title, value: lines }), { minLength: 1, maxLength: 3 }),
    hasChoices: flag,
    hasDefault: flag,
  })
  .map(({ choices, hasChoices, hasDefault, ...rest }) => ({
    ...rest,
    values: rest.type === 'enum' || hasChoices ? choices : null,
    default_value: hasDefault ? defaultOf(rest.type, choices[0]?.value ?? '') : '',
  }));

const flags = fc.record({
  allow_override_args_in_task: flag,
  allow_override_inventory_in_task: flag,
  allow_override_branch_in_task: flag,
  allow_override_execution_environment_in_task: flag,
  allow_override_limit_in_task: flag,
  allow_override_tags_in_task: flag,
  allow_override_skip_tags_in_task: flag,
  allow_auto_approve_in_task: flag,
  allow_debug_in_task: flag,
  allow_any_variable_in_task: flag,
  allow_parallel_tasks: flag,
  suppress_success_alerts: flag,
  retry_failed_hosts: flag,
  fail_without_hosts: flag,
  requires_confirmation: flag,
});

const numbers = fc.record({
  timeout_s: count,
  memory_limit_mib: count,
  cpu_limit_percent: count,
  process_limit: count,
  retries: count,
  retry_delay_s: fc.integer({ min: 1, max: 3600 }),
  keep_tasks: count,
  keep_days: count,
});

const vaultsOf = (keys: number[]) =>
  fc.uniqueArray(
    fc.oneof(
      fc.record({
        type: fc.constant('password' as const),
        vault_key_id: fc.constantFrom(...keys),
        script: fc.constant(null),
        name: fc.constantFrom(null, 'dev', 'prod', 'test'),
      }),
      fc.record({
        type: fc.constant('script' as const),
        vault_key_id: fc.constant(null),
        script: path,
        name: fc.constantFrom('dev', 'prod', 'test'),
      }),
    ),
    { selector: ({ name }) => name, maxLength: 4 },
  );

const rest = (ids: Ids) =>
  fc.record({
    description: lines,
    app: fc.constantFrom('ansible', 'ansible', 'terraform', 'tofu', 'bash', 'powershell', 'python'),
    type: fc.constantFrom(...templateTypes),
    playbook: path,
    working_directory: fc.oneof(fc.constant(''), path),
    install_requirements: fc.constantFrom(...requirementTimes),
    view_id: maybe(fc.constant(ids.view)),
    start_version: fc.tuple(word, count).map(([name, number]) => `${name}.${number}`),
    git_branch: maybe(path),
    arguments: maybe(fc.array(text, { maxLength: 3 }).map((list) => JSON.stringify(list))),
    limit: word,
    tags: word,
    skip_tags: word,
    survey_vars: fc.uniqueArray(variable, { selector: ({ name }) => name, maxLength: 4 }),
    vaults: vaultsOf(ids.keys),
    autorun: flag,
    auto_approve: flag,
    runner_tags: fc
      .uniqueArray(fc.constantFrom('dmz', 'GPU', 'eu-1', '7_x'), { maxLength: 3 })
      .map((tags) => tags.toSorted()),
  });

/** The name is missing, because it has to be unique. */
export function anyTemplate(ids: Ids): fc.Arbitrary<Omit<NewTemplate, 'name'>> {
  const environments = fc.shuffledSubarray(ids.further);
  const parts = fc.tuple(rest(ids), flags, numbers, environments);
  return parts.map(([fields, switches, limits, further]) => {
    const { app, type } = fields;
    const isAnsible = kindOf(app) === 'ansible';
    // Fields that the app or the kind of template does not have are not stored.
    const vaults = isAnsible ? fields.vaults : [];
    return {
      ...fields,
      ...switches,
      ...limits,
      repository_id: ids.repository,
      inventory_id: isAnsible ? ids.inventory : null,
      environment_id: ids.environment,
      execution_environment_id: ids.execution ?? null,
      environment_ids: [ids.environment, ...further],
      start_version: type === 'build' ? fields.start_version : null,
      build_template_id: type === 'deploy' ? ids.build : null,
      working_directory: kindOf(app) === 'terraform' ? '' : fields.working_directory,
      autorun: type === 'deploy' && fields.autorun,
      limit: hasField(app, 'limit') ? fields.limit : '',
      tags: hasField(app, 'tags') ? fields.tags : '',
      skip_tags: hasField(app, 'skip_tags') ? fields.skip_tags : '',
      auto_approve: hasField(app, 'auto_approve') && fields.auto_approve,
      vaults,
      vault_key_id: vaults.find(({ name }) => name === null)?.vault_key_id ?? null,
    };
  });
}
