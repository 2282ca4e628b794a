import { expect, test } from 'vitest';
import { z } from 'zod';
import { initially, jsonArgumentsText, line, nullable, optionalId, requiredId } from './fields.ts';
import { storedFields } from './stored-fields.ts';

const fields = {
  name: line(3),
  owner_id: requiredId('field.required'),
  key_id: optionalId.optional(),
  branch: nullable(line(3)),
  arguments: jsonArgumentsText,
  active: initially(z.boolean(), true),
  retries: initially(z.number().int().max(3), 0),
  share: z.number().max(1),
  type: initially(z.enum(['a', 'b']), 'a'),
  folder: initially(z.union([z.literal(''), line(3)]), ''),
  tags: initially(z.array(line(3)), []),
};

const row = {
  name: 'longer than the rule',
  owner_id: 1,
  key_id: null,
  branch: null,
  arguments: null,
  active: false,
  retries: 100,
  share: 1.5,
  type: 'b',
  folder: 'longer',
  tags: ['longer'],
};

test('what is read back has the types of a body without its rules', () => {
  expect(z.object(storedFields(fields)).parse(row)).toEqual(row);
});

test.each([
  ['name', null],
  ['owner_id', 1.5],
  ['key_id', '1'],
  ['branch', 1],
  ['active', null],
  ['retries', null],
  ['retries', 0.5],
  ['type', 'c'],
  ['folder', 1],
  ['tags', null],
  ['tags', [1]],
])('what is read back has a value of its type in %s, not %j', (name, value) => {
  const schema = z.object(storedFields(fields));
  expect(schema.safeParse({ ...row, [name]: value }).error?.issues[0]?.path[0]).toBe(name);
});

test('every field is there when it is read back', () => {
  const { branch: _branch, ...rest } = row;
  expect(z.object(storedFields(fields)).safeParse(rest).success).toBe(false);
});

test('a schema of another kind has to be given by hand', () => {
  expect(() => storedFields({ one: z.date() })).toThrow('schema of the type date');
});
