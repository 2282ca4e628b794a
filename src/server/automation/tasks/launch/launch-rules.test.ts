import { describe, expect, test } from 'vitest';
import { newTask, type NewTask } from '#shared/api/tasks.ts';
import { newTemplate, type Template } from '#shared/api/templates.ts';
import type { AppError } from '../../../lib/errors.ts';
import { checkLaunch } from './launch-rules.ts';

const template = (fields: Partial<Template> = {}): Template => ({
  ...newTemplate.parse({
    name: 'Deploy',
    playbook: 'site.yml',
    inventory_id: 1,
    repository_id: 1,
    environment_id: 1,
    limit: 'web',
    tags: 'fast',
    skip_tags: 'slow',
    git_branch: 'main',
    allow_debug_in_task: false,
  }),
  inventory_id: 1,
  environment_id: 1,
  id: 1,
  project_id: 1,
  vaults: [],
  tasks: 0,
  last_task: null,
  last_task_id: null,
  ...fields,
});

const launch = (fields: object): NewTask => newTask.parse({ template_id: 1, ...fields });

function refusedField(fields: object, of: Partial<Template> = {}): unknown {
  try {
    checkLaunch(launch(fields), template(of));
    return null;
  } catch (error) {
    const { code, status, params } = error as AppError;
    if (code !== 'task.field_not_allowed' || status !== 422) throw error;
    return params['field'];
  }
}

const overrides: [field: string, value: unknown, flag: keyof Template][] = [
  ['arguments', '["--forks=50"]', 'allow_override_args_in_task'],
  ['inventory_id', 2, 'allow_override_inventory_in_task'],
  ['git_branch', 'other', 'allow_override_branch_in_task'],
  ['limit', 'all', 'allow_override_limit_in_task'],
  ['tags', 'all', 'allow_override_tags_in_task'],
  ['skip_tags', 'none', 'allow_override_skip_tags_in_task'],
  ['debug', true, 'allow_debug_in_task'],
];

describe.each(overrides)('%s', (field, value, flag) => {
  test('is refused, by its name, where the template does not allow it', () => {
    expect(refusedField({ [field]: value })).toBe(field);
  });

  test('is taken where the template allows it', () => {
    expect(refusedField({ [field]: value }, { [flag]: true })).toBeNull();
  });

  test('is not allowed by the flags of other fields', () => {
    const others = overrides.filter(([name]) => name !== field).map(([, , other]) => [other, true]);
    expect(refusedField({ [field]: value }, Object.fromEntries(others))).toBe(field);
  });
});

describe('nothing is widened', () => {
  const same: [what: string, fields: object][] = [
    ['a launch that sets nothing', {}],
    ['the inventory of the template', { inventory_id: 1 }],
    ['the limit of the template', { limit: 'web' }],
    ['the branch of the template', { git_branch: 'main' }],
    ['the tags of the template', { tags: 'fast', skip_tags: 'slow' }],
    ['the playbook of the template', { playbook: 'site.yml' }],
    ['empty texts', { limit: '', tags: ' ', skip_tags: '', git_branch: '', playbook: '' }],
    ['no arguments', { arguments: '[]' }],
    ['an empty text of arguments', { arguments: ' ' }],
    ['nulls', { inventory_id: null, arguments: null, limit: null, playbook: null }],
    ['a dry run that shows differences', { dry_run: true, diff: true }],
  ];
  test.each(same)('by %s', (_what, fields) => {
    expect(refusedField(fields)).toBeNull();
  });
});

test('another playbook is never taken', () => {
  const all = Object.fromEntries(overrides.map(([, , flag]) => [flag, true]));
  expect(refusedField({ playbook: 'other.yml' }, all)).toBe('playbook');
});

test('a limit is refused also where the template has none', () => {
  expect(refusedField({ limit: 'web' }, { limit: '' })).toBe('limit');
});
