import { expect, test } from 'vitest';
import { noLimits } from '#shared/grants/limits.ts';
import { builtInRights, type Right, type Role } from '#shared/rights.ts';
import { textsAt, valueAt } from './claims.ts';
import { evaluateRules, matchesPattern, type Rule } from './evaluate-rules.ts';

test.each([
  ['ops', 'ops', true],
  ['ops', 'Ops', false],
  ['ops-eu', 'ops', false],
  ['ops', 'op', false],
  ['ops-eu', 'ops-*', true],
  ['ops-', 'ops-*', true],
  ['ops', 'ops*ops', false],
  ['opsops', 'ops*ops', true],
  ['CN=ops,OU=groups,DC=x', 'CN=ops,*', true],
  ['abcabc', '*b*c', true],
  ['abcabd', '*b*c', false],
  ['a.c', 'a.c', true],
  ['abc', 'a.c', false],
  ['anything', '*', true],
  ['', '*', true],
  ['ops(1)', 'ops(1)', true],
  [`${'a'.repeat(50_000)}b`, `${'a*'.repeat(400)}c`, false],
])('%.20s against %.20s: %s', (text, pattern, matches) => {
  expect(matchesPattern(text, pattern)).toBe(matches);
});

test('claims are walked by their own names only', () => {
  const claims = {
    groups: ['a', 7, true, { x: 1 }, null],
    realm_access: { roles: ['r'] },
    'https://x.example/groups': 'one',
  };
  expect(textsAt(claims, 'groups')).toEqual(['a', '7', 'true']);
  expect(textsAt(claims, 'realm_access.roles')).toEqual(['r']);
  expect(textsAt(claims, 'https://x.example/groups')).toEqual(['one']);
  expect(textsAt({ groups: [] }, 'groups')).toEqual([]);
  for (const path of ['nothing', 'groups.length', 'constructor.name', '__proto__', 'groups.0']) {
    expect([path, valueAt(claims, path)]).toEqual([path, undefined]);
  }
});

const rule = (id: number, change: Partial<Rule> & { role?: Role | null }): Rule => ({
  id,
  source: 'any',
  claim: 'groups',
  pattern: 'ops',
  project_id: 1,
  role: 'guest',
  role_id: null,
  role_name: null,
  rights: builtInRights[change.role ?? 'guest'],
  object_type: null,
  object_id: null,
  limits: noLimits,
  administrator: false,
  ...change,
});

test('the highest role counts, and each rule says why it does or does not', () => {
  const rules = [
    rule(1, {}),
    rule(2, { role: 'manager' }),
    rule(3, { role: 'task_runner', pattern: '*' }),
    rule(4, { project_id: 2, source: 'other', role: 'owner' }),
    rule(5, { project_id: 2, claim: 'teams', role: 'owner' }),
    rule(6, { project_id: 2, pattern: 'dev', role: 'owner' }),
    rule(7, { project_id: null, role: null, administrator: true, pattern: 'o*' }),
  ];
  const outcome = evaluateRules(rules, 'company', { groups: ['ops'] });
  expect(outcome.administrator).toBe(true);
  const manager = { slug: 'manager', id: null, name: 'manager', rights: builtInRights.manager };
  expect([...outcome.roles]).toEqual([[1, { role: manager, ruleId: 2 }]]);
  expect(outcome.rules).toEqual([
    { ruleId: 1, reason: 'outdone', value: 'ops' },
    { ruleId: 2, reason: 'decides', value: 'ops' },
    { ruleId: 3, reason: 'outdone', value: 'ops' },
    { ruleId: 4, reason: 'other_source', value: '' },
    { ruleId: 5, reason: 'no_claim', value: '' },
    { ruleId: 6, reason: 'no_match', value: '' },
    { ruleId: 7, reason: 'decides', value: 'ops' },
  ]);
});

test('of two roles with different rights the first counts, unless one has all of the other', () => {
  const own = (id: number, rights: Right[]) =>
    rule(id, { role_id: id, role_name: `Own ${id}`, rights: new Set(rights) });
  const [keys, tasks] = [own(1, ['key.edit', 'key.use']), own(2, ['task.stop'])];
  const both = own(3, ['key.edit', 'key.use', 'task.stop']);
  const decides = (rules: Rule[]) =>
    evaluateRules(rules, 'company', { groups: ['ops'] }).roles.get(1)?.ruleId;
  expect(decides([keys, tasks])).toBe(1);
  expect(decides([tasks, keys])).toBe(2);
  expect(decides([tasks, keys, both])).toBe(3);
  expect(decides([both, keys, tasks])).toBe(3);
});

test('each rule about an object gives its role there, beside the role in the project', () => {
  const onTemplate = { object_type: 'template' as const, object_id: 5 };
  const rules = [
    rule(1, {}),
    rule(2, { ...onTemplate, role: 'owner' }),
    rule(3, { ...onTemplate, role: 'task_runner' }),
    rule(4, { ...onTemplate, project_id: 2 }),
    rule(5, { ...onTemplate, pattern: 'dev' }),
  ];
  const outcome = evaluateRules(rules, 'company', { groups: ['ops'] });
  expect([...outcome.roles.keys()]).toEqual([1]);
  expect(outcome.roles.get(1)?.role.slug).toBe('guest');
  const grants = outcome.grants.map(({ ruleId, projectId, object, role }) => [
    ruleId,
    projectId,
    object,
    role.slug,
  ]);
  const object = { type: 'template', id: 5 };
  expect(grants).toEqual([
    [2, 1, object, 'owner'],
    [3, 1, object, 'task_runner'],
    [4, 2, object, 'guest'],
  ]);
  expect(outcome.rules.map(({ reason }) => reason)).toEqual([
    'decides',
    'decides',
    'decides',
    'members_only',
    'no_match',
  ]);
});
