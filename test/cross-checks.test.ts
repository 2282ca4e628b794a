// All wrong fields of a body are named at once: the checks of several fields run whatever else is wrong.

import { expect, test } from 'vitest';
import { z } from 'zod';
import { crossCheck } from '#shared/cross-check.ts';
import { findingsOf } from '#shared/field-errors.ts';
import { endpoints } from '#shared/api/index.ts';
import { filledInventory } from '#shared/api/inventories.ts';
import { approvalField, surveyVariable } from '#shared/survey/survey-variable.ts';
import { templateVault } from '#shared/template-vaults.ts';
import { samples, type Body } from './helpers/samples.ts';

type Schema = z.core.$ZodType;
interface Def {
  type: string;
  checks?: { _zod: { def: object } }[];
  in?: Schema;
  innerType?: Schema;
  shape?: Record<string, Schema>;
}

const defOf = ({ _zod: { def } }: Schema): Def => def as unknown as Def;

/** The schema and all schemas in it. */
function schemasIn(root: Schema): Schema[] {
  const found = new Set<Schema>();
  const waiting: unknown[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if ('_zod' in next && !found.has(next as Schema)) {
      found.add(next as Schema);
      waiting.push(...Object.values(defOf(next as Schema)));
    } else if (!('_zod' in next)) waiting.push(...Object.values(next));
  }
  return [...found];
}

/** Whether the schema reads an object, whatever it makes of it. */
function readsObject(schema: Schema): boolean {
  const { type, in: before, innerType } = defOf(schema);
  const inner = before ?? innerType;
  return type === 'object' || (inner !== undefined && readsObject(inner));
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** The fields that the checks of an object read together; null for a check that does not say so. */
const checksOf = (schema: Schema): (string[] | null)[] =>
  (defOf(schema).checks ?? [])
    .map(({ _zod: { def } }) => def as { check: string; reads?: string[] })
    .filter(({ check }) => check === 'custom')
    .map(({ reads }) => reads?.map((path) => path.split('.')[0] ?? '') ?? null);

test('every check of several fields of a body says which fields it reads', () => {
  const bodies = endpoints.flatMap(({ name, endpoint: { body } }) =>
    isSchema(body) ? [{ name, body }] : [],
  );
  const objects = bodies.flatMap(({ name, body }) =>
    schemasIn(body)
      .filter(readsObject)
      .map((schema) => ({ name, checks: checksOf(schema) })),
  );
  expect(objects.filter(({ checks }) => checks.length > 0).length).toBeGreaterThan(10);
  expect(objects.filter(({ checks }) => checks.includes(null)).map(({ name }) => name)).toEqual([]);
});

/** Values of which each field refuses some. */
const oddValues = [
  undefined,
  null,
  '',
  'x',
  '-x/../{{ y }}',
  'x'.repeat(70_000),
  -1,
  0,
  1.5,
  true,
  [],
  [{}],
  {},
  { private_key: 'x', password: '' },
  'workspace',
  'terraform',
  'file',
  'ssh',
  'run_at',
  'email',
  'telegram',
  'github',
  'enum',
  'task',
  'header',
  'script',
];

const ids = {
  project_id: 1,
  key_id: 2,
  login_key_id: 13,
  inventory_id: 3,
  repository_id: 4,
  environment_id: 5,
  template_id: 6,
  workflow_id: 7,
  view_id: 8,
  user_id: 9,
  rule_id: 10,
  schedule_id: 11,
  integration_id: 12,
};

const cases: [name: string, schema: z.ZodType, valid: Body][] = [
  ...endpoints.flatMap(({ name, endpoint: { body } }): [string, z.ZodType, Body][] => {
    const valid = samples(ids)[name];
    const isChecked = isSchema(body) && schemasIn(body).some((one) => checksOf(one).length > 0);
    return valid && isChecked && fieldsIn(body).length > 0
      ? [[name, body as z.ZodType, valid]]
      : [];
  }),
  ['inventories.form', filledInventory, { name: 'Hosts', type: 'static', ssh_key_id: 1 }],
  ['survey variable', surveyVariable, { name: 'one', title: 'One', default_value: 'x' }],
  ['field of an approval', approvalField, { name: 'one', title: 'One' }],
  ['vault', templateVault, { type: 'password', vault_key_id: 1 }],
];

function fieldsIn(schema: Schema): string[] {
  const { shape, in: before, innerType } = defOf(schema);
  if (shape) return Object.keys(shape);
  const inner = before ?? innerType;
  return inner ? fieldsIn(inner) : [];
}

/** The groups of fields that checks of the body, not of objects in it, read together. */
function togetherIn(schema: Schema): string[][] {
  const { in: before, innerType } = defOf(schema);
  const inner = before ?? innerType;
  const own = checksOf(schema).filter((reads) => reads !== null);
  return [...own, ...(inner ? togetherIn(inner) : [])];
}

test.each(cases)('%s names what is wrong with two fields in one answer', (_name, schema, valid) => {
  expect(findingsOf(schema, valid)).toEqual([]);
  const together = togetherIn(schema);
  const wrong = fieldsIn(schema).flatMap((field) => {
    const changes = oddValues.map((value) => ({ field, change: { [field]: value } }));
    const all = changes
      .map((one) => ({ ...one, found: textsOf(schema, { ...valid, ...one.change }) }))
      .filter(({ found }) => found.length > 0);
    // One value for each thing that can be wrong with the field.
    return [...new Map(all.map((one) => [one.found.join(), one])).values()];
  });
  const isRelated = (one: string, other: string): boolean =>
    together.some((reads) => reads.includes(one) && reads.includes(other));
  const missed: object[] = [];
  for (const [index, one] of wrong.entries()) {
    for (const other of wrong.slice(index + 1)) {
      if (one.field === other.field || isRelated(one.field, other.field)) continue;
      const both = textsOf(schema, { ...valid, ...one.change, ...other.change });
      const left = [...one.found, ...other.found].filter((text) => !both.includes(text));
      if (left.length > 0) missed.push({ ...one.change, ...other.change, missed: left });
    }
  }
  expect(missed).toEqual([]);
});

const textsOf = (schema: z.ZodType, body: unknown): string[] =>
  findingsOf(schema, body).map(({ path, code }) => `${path} ${code}`);

test.each(cases)('%s takes no other value for a body', (_name, schema) => {
  for (const value of [undefined, null, 'x', 1, [], [{}]]) {
    const [found, ...others] = findingsOf(schema, value);
    expect([found?.path, others]).toEqual(['', []]);
  }
});

const list = z.object({
  name: z.string().min(1),
  entries: z.array(z.object({ key: z.string(), value: z.number() })),
});
const checked = crossCheck(list, (check) => {
  check(['entries.*.key'], ({ entries }, refuse) => {
    if (entries.length > 1) refuse('entries', 'field.too_many');
  });
  check(['name', 'entries'], ({ name, entries }, refuse) => {
    if (entries.length > name.length) refuse('name', 'field.range');
  });
});

test('a check runs when what it reads in the entries of a list is valid', () => {
  const entry = { key: 'x', value: 1 };
  const bodies: [body: object, found: string[]][] = [
    [{ name: 'long', entries: [entry] }, []],
    [{ name: 'x', entries: [entry, entry] }, ['entries field.too_many', 'name field.range']],
    [
      { name: 'x', entries: [entry, { key: 'x' }] },
      ['entries.1.value field.required', 'entries field.too_many'],
    ],
    [{ name: 'x', entries: [entry, { value: 1 }] }, ['entries.1.key field.required']],
    [{ entries: [entry, entry] }, ['name field.required', 'entries field.too_many']],
    [{ name: 'x', entries: [entry, 1] }, ['entries.1 field.type']],
  ];
  for (const [body, found] of bodies) expect(textsOf(checked, body)).toEqual(found);
});
