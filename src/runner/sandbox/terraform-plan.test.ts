// The JSON of plans: one in the documented form of Terraform and OpenTofu, with every action, and those
// that Terraform 1.11.4 and OpenTofu 1.12.6 have printed.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PlanChange } from '#shared/api/task-plan.ts';
import { readPlan } from './terraform-plan.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../test/fixtures/plans/${name}.json`, import.meta.url), 'utf8');
const text = fixture('documented-form');
const printed = fixture('terraform-1.11');

const shown = ({ address, action, reason, attributes, forcing }: PlanChange) =>
  [address, action, reason ?? '', attributes.join(' '), forcing.join(' ')].join(' | ');

const planOf = (changes: object[], version = '1.2') =>
  readPlan(JSON.stringify({ format_version: version, resource_changes: changes }));

test('each resource is told with its action, its reason and the names of what changes', () => {
  const plan = readPlan(text);
  expect(plan?.counts).toEqual({
    create: 2,
    update: 2,
    replace: 2,
    delete: 2,
    read: 1,
    forget: 2,
    import: 2,
    move: 2,
    outputs: 1,
  });
  expect(plan?.is_complete).toBe(true);
  expect(plan?.changes.map(shown)).toEqual([
    'aws_instance.web[0] | replace | replace_because_cannot_update | ami id | ami',
    'aws_instance.next | replace | replace_because_tainted | user_data id | user_data',
    'module.net.aws_subnet.a["eu-1"] | create |  |  | ',
    'aws_security_group.db | update |  | ingress | ',
    'aws_s3_bucket.old | delete | delete_because_no_resource_config |  | ',
    'data.aws_caller_identity.me | read | read_because_dependency_pending |  | ',
    'aws_iam_role.moved | move |  |  | ',
    'aws_iam_role.found | import |  |  | ',
    'aws_iam_role.both | update |  | path | ',
    'aws_db_instance.left | forget | delete_because_no_resource_config |  | ',
    'aws_volume.kept_beside | forget_create |  | size id | ',
    'aws_instance.deposed (deposed object 1f2e3d4c) | delete |  |  | ',
    'address | create |  |  | ',
  ]);
  expect(plan?.changes[0]).toMatchObject({
    type: 'aws_instance',
    provider: 'registry.terraform.io/hashicorp/aws',
    is_imported: false,
  });
  expect(plan?.changes[8]).toMatchObject({ moved_from: 'aws_iam_role.one', is_imported: true });
});

test('what Terraform prints is understood', () => {
  const plan = readPlan(printed);
  expect(plan?.counts).toEqual({
    create: 2,
    update: 1,
    replace: 1,
    delete: 0,
    read: 0,
    forget: 1,
    move: 1,
  });
  expect(plan?.changes.map(shown)).toEqual([
    'terraform_data.after | move |  |  | ',
    'terraform_data.each["a"] | create |  |  | ',
    'terraform_data.each["b c"] | create |  |  | ',
    'terraform_data.gone | forget | delete_because_no_resource_config |  | ',
    'terraform_data.replaced | replace | replace_because_cannot_update | id output triggers_replace | triggers_replace',
    'terraform_data.updated | update |  | input output | ',
  ]);
  expect(plan?.changes[0]?.moved_from).toBe('terraform_data.before');
});

const ofOutputs = [
  'added | create |  |  | ',
  'changed | update |  | value | ',
  'now_sensitive | update |  | sensitive | ',
  'removed | delete |  |  | ',
];

test('what becomes of outputs is told as Terraform prints it', () => {
  const plan = readPlan(fixture('terraform-1.11-outputs'));
  expect(plan?.changes.map(shown)).toEqual([
    'terraform_data.found | import |  |  | ',
    'terraform_data.gone | forget | delete_because_no_resource_config |  | ',
    'terraform_data.new_name | move |  |  | ',
    'terraform_data.recreated | replace | replace_because_cannot_update | id triggers_replace | triggers_replace',
    ...ofOutputs,
  ]);
  expect(plan?.changes.filter(({ kind }) => kind === 'output')).toHaveLength(4);
  expect(plan?.counts).toEqual({
    create: 0,
    update: 0,
    replace: 1,
    delete: 0,
    read: 0,
    import: 1,
    forget: 1,
    move: 1,
    outputs: 4,
  });
});

test('OpenTofu creates another object beside one that it only forgets', () => {
  const plan = readPlan(fixture('opentofu-1.12'));
  expect(plan?.changes.map(shown)).toEqual([
    'terraform_data.found | import |  |  | ',
    'terraform_data.gone | forget | delete_because_no_resource_config |  | ',
    'terraform_data.new_name | move |  |  | ',
    'terraform_data.recreated | forget_create | replace_because_cannot_update | id triggers_replace | ',
    ...ofOutputs,
  ]);
  expect(plan?.counts).toMatchObject({ create: 1, forget: 2, import: 1, move: 1, outputs: 4 });
});

test('what has changed outside, runs an action or is left for the next plan is told', () => {
  const names = { type: 'a', provider_name: 'p' };
  const change = (...actions: string[]) => ({ actions, before: { size: 1 }, after: { size: 2 } });
  const plan = readPlan(
    JSON.stringify({
      format_version: '1.2',
      resource_drift: [
        { ...names, address: 'a.gone', change: change('delete') },
        { ...names, address: 'a.other', change: change('update') },
        { ...names, address: 'a.changed', change: change('update') },
        { ...names, address: 'a.moved', previous_address: 'a.old', change: change('no-op') },
      ],
      resource_changes: [{ ...names, address: 'a.changed', change: change('update') }],
      deferred_changes: [
        {
          reason: 'provider_config_unknown',
          resource_change: { ...names, address: 'a.later', change: change('create') },
        },
      ],
      action_invocations: [{ ...names, address: 'action.a.run', name: 'run' }],
      deferred_action_invocations: [
        { reason: 'deferred_prereq', action_invocation: { ...names, address: 'action.a.later' } },
      ],
      checks: [{ address: {}, status: 'pass' }],
      renamed_stacks: [{ from: 'x', to: 'y' }],
      empty_stacks: [],
    }),
  );
  expect(plan?.changes.map(shown)).toEqual([
    'a.changed | update |  | size | ',
    'a.gone | drift_delete |  |  | ',
    'a.other | drift_update |  | size | ',
    'action.a.run | invoke |  |  | ',
    'a.later | defer | provider_config_unknown |  | ',
    'action.a.later | defer | deferred_prereq |  | ',
    'renamed_stacks | other |  |  | ',
  ]);
  expect(plan?.counts).toEqual({
    create: 0,
    update: 1,
    replace: 0,
    delete: 0,
    read: 0,
    drift: 2,
    invoke: 1,
    defer: 2,
    other: 1,
  });
});

test('a plan that leaves something out says so, where its program does', () => {
  const target = fixture('terraform-1.11-target');
  expect(readPlan(target)).toMatchObject({ is_complete: true, is_whole: false });
  expect(readPlan(target)?.changes.map(shown)).toEqual(['terraform_data.one | create |  |  | ']);
  expect(readPlan(printed)?.is_whole).toBe(true);
  expect(readPlan(fixture('opentofu-1.12'))?.is_whole).toBe(null);
  const resource_change = { address: 'a.later', change: { actions: ['create'] } };
  const deferred_changes = [{ reason: 'instance_count_unknown', resource_change }];
  const deferring = { format_version: '1.2', complete: true, deferred_changes };
  expect(readPlan(JSON.stringify(deferring))?.is_whole).toBe(false);
});

const ofOthers = ['terraform-1.11-outputs', 'terraform-1.11-target', 'opentofu-1.12'].map(fixture);

test.each([text, printed, ...ofOthers])('no value of a plan is read', (one) => {
  expect(one).toContain('value-that-must-not-be-kept');
  expect(JSON.stringify(readPlan(one))).not.toContain('value-that-must-not-be-kept');
});

test('a format of another major version, or none, is not guessed at', () => {
  expect(planOf([], '1.0')?.changes).toEqual([]);
  for (const version of ['0.2', '2.0', '']) expect(planOf([], version)).toBe(null);
  expect(readPlan('{}')).toBe(null);
  expect(readPlan('[]')).toBe(null);
  expect(() => readPlan('no JSON')).toThrow(/JSON/);
});

test('odd entries are told as far as they are understood', () => {
  const odd = planOf([
    { address: 'a.b', change: { actions: ['open'] } },
    { address: 7, change: { actions: ['create'] } },
    { address: 'a.c' },
  ]);
  expect(odd?.changes.map(({ address, action }) => [address, action])).toEqual([
    ['a.b', 'other'],
    ['', 'create'],
    ['a.c', 'other'],
  ]);
});

test('a plan of very many resources has its first ones, and the counts of all', () => {
  const change = { actions: ['create'], before: null, after: {} };
  const many = Array.from({ length: 10_050 }, (_, at) => ({ address: `a.b[${at}]`, change }));
  const plan = planOf(many);
  expect([plan?.counts.create, plan?.changes.length, plan?.is_complete]).toEqual([
    10_050,
    expect.any(Number),
    false,
  ]);
  expect(plan?.changes.length).toBeLessThanOrEqual(10_000);
  expect(plan?.changes.length).toBeGreaterThan(5000);
  const long = Array.from({ length: 3000 }, () => ({ address: 'a'.repeat(5000), change }));
  const cut = planOf(long);
  expect(JSON.stringify(cut).length).toBeLessThan(2.1 * 1024 * 1024);
  expect(cut?.is_complete).toBe(false);
});
