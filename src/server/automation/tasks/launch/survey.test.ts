import { describe, expect, test } from 'vitest';
import { surveyVariable, type SurveyVariable } from '#shared/survey/survey-variable.ts';
import { findingsOf } from '#shared/field-errors.ts';
import type { AppError } from '../../../lib/errors.ts';
import { readAnswers } from './survey.ts';

const variable = (fields: Partial<SurveyVariable>): SurveyVariable =>
  surveyVariable.parse({ name: 'one', title: 'One', ...fields });

const asking = (survey_vars: SurveyVariable[], allow_any_variable_in_task = false) => ({
  survey_vars,
  allow_any_variable_in_task,
});

const read = (variables: SurveyVariable[], plain: object, secret: object = {}) =>
  readAnswers(asking(variables), JSON.stringify(plain), JSON.stringify(secret));

function refusal(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('nothing was refused');
}

const colours = ['red', 'green'].map((value) => ({ name: value.toUpperCase(), value }));

describe('an answer that fits gets the type of its variable', () => {
  const cases: [type: SurveyVariable['type'], given: unknown, value: unknown][] = [
    ['', 'text', 'text'],
    ['', 5, '5'],
    ['', true, 'true'],
    ['', ' spaces ', ' spaces '],
    ['text', 'a\nb', 'a\nb'],
    ['text', '0', '0'],
    ['int', '42', 42],
    ['int', 42, 42],
    ['int', '007', 7],
    ['int', 0, 0],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', true, true],
    ['boolean', false, false],
    ['enum', 'red', 'red'],
  ];
  test.each(cases)('%j: %j becomes %j', (type, given, value) => {
    const one = variable({ type, values: type === 'enum' ? colours : null, required: true });
    expect(read([one], { one: given })).toEqual({ plain: { one: value }, secret: {} });
  });
});

describe('an answer that does not fit is refused in the words of its title', () => {
  const cases: [type: SurveyVariable['type'], given: unknown, code: string, message: string][] = [
    ['int', 'x', 'survey.answer_integer', 'One must be integer'],
    ['int', '-7', 'survey.answer_integer', 'One must be integer'],
    ['int', -7, 'survey.answer_integer', 'One must be integer'],
    ['int', '1.5', 'survey.answer_integer', 'One must be integer'],
    ['int', 1.5, 'survey.answer_integer', 'One must be integer'],
    ['int', '1e3', 'survey.answer_integer', 'One must be integer'],
    ['int', ' 1', 'survey.answer_integer', 'One must be integer'],
    ['int', '1\n', 'survey.answer_integer', 'One must be integer'],
    ['int', '1234567890123456', 'survey.answer_integer', 'One must be integer'],
    ['boolean', 'yes', 'survey.answer_boolean', 'One must be true or false'],
    ['boolean', 1, 'survey.answer_boolean', 'One must be true or false'],
    ['enum', 'RED', 'survey.answer_option', 'One must be one of the offered values'],
    ['enum', 'blue', 'survey.answer_option', 'One must be one of the offered values'],
    ['', ['a'], 'field.invalid', 'This is not valid'],
    ['text', { a: 1 }, 'field.invalid', 'This is not valid'],
  ];
  test.each(cases)('%j: %j', (type, given, code, message) => {
    const one = variable({ type, values: type === 'enum' ? colours : null });
    const error = refusal(() => read([one], { one: given }));
    expect(error.code).toBe('request.invalid');
    expect(error.fields).toEqual([
      { path: 'environment.one', code, message, params: { title: 'One' } },
    ]);
  });
});

describe.each([undefined, null, ''])('%j is no answer', (given) => {
  test('and is refused where one is required', () => {
    const error = refusal(() => read([variable({ required: true })], { one: given }));
    expect(error.fields).toMatchObject([
      { path: 'environment.one', code: 'survey.answer_required', message: 'One is required' },
    ]);
  });

  test('and leaves the variable unset where none is', () => {
    expect(read([variable({ type: 'int' })], { one: given })).toEqual({ plain: {}, secret: {} });
  });
});

test('secret answers stay apart from the others', () => {
  const variables = [variable({}), variable({ name: 'word', type: 'secret', required: true })];
  expect(read(variables, { one: 'a' }, { word: 'hidden' })).toEqual({
    plain: { one: 'a' },
    secret: { word: 'hidden' },
  });
});

test('a secret answer among the plain ones is refused, and the reverse', () => {
  const variables = [variable({}), variable({ name: 'word', type: 'secret' })];
  const plain = refusal(() => read(variables, { word: 'hidden' }));
  expect([plain.status, plain.params]).toEqual([422, { field: 'environment.word' }]);
  const secret = refusal(() => read(variables, {}, { one: 'a' }));
  expect([secret.status, secret.params]).toEqual([422, { field: 'secret.one' }]);
  expect(plain.message).not.toContain('hidden');
});

test('an answer that the survey does not ask for is refused, whatever its name', () => {
  for (const name of ['ansible_become', 'constructor', 'toString']) {
    const error = refusal(() => read([variable({})], { [name]: 'x' }));
    expect([error.code, error.params]).toEqual([
      'task.field_not_allowed',
      { field: `environment.${name}` },
    ]);
  }
  const error = refusal(() => readAnswers(asking([variable({})]), '{"__proto__": {"a": 1}}', '{}'));
  expect(error.params).toEqual({ field: 'environment.__proto__' });
});

test('extracted values answer the survey by their types, and others go beside it', () => {
  const variables = [
    variable({ type: 'int', required: true }),
    variable({ name: 'word', type: 'secret' }),
  ];
  const extracted = Object.fromEntries([
    ['one', '7'],
    ['word', 'hidden'],
    ['__proto__', 'own'],
    ['ansible_become', 'yes'],
  ]);
  const { plain, secret } = readAnswers(asking(variables), '{}', '{}', { extracted });
  expect(Object.entries(plain)).toEqual([
    ['__proto__', 'own'],
    ['ansible_become', 'yes'],
    ['one', 7],
  ]);
  expect(secret).toEqual({ word: 'hidden' });
  const error = refusal(() =>
    readAnswers(asking(variables), '{}', '{}', { extracted: { one: 'seven' } }),
  );
  expect(error.fields).toMatchObject([{ code: 'survey.answer_integer' }]);
  expect(() => readAnswers(asking(variables), '{}', '{}', { extracted: { other: 'x' } })).toThrow(
    'not valid',
  );
});

test('everything that is wrong is named at once', () => {
  const variables = [
    variable({ required: true }),
    variable({ name: 'two', title: 'Two', type: 'int' }),
    variable({ name: 'three', title: 'Three', type: 'secret', required: true }),
  ];
  const error = refusal(() => read(variables, { two: 'x' }));
  expect(error.fields.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'environment.one: One is required',
    'environment.two: Two must be integer',
    'secret.three: Three is required',
  ]);
});

test.each(['constructor', 'toString', '__proto__'])(
  'takes a variable named %s as any other',
  (name) => {
    const optional = [variable({ name })];
    expect(Object.keys(readAnswers(asking(optional), '{}', '{}').plain)).toEqual([]);
    const { plain } = readAnswers(asking(optional), `{"${name}":"x"}`, '{}');
    expect(Object.entries(plain)).toEqual([[name, 'x']]);
    const needed = [variable({ name, required: true })];
    expect(() => readAnswers(asking(needed), '{}', '{}')).toThrow('Some fields are not valid');
  },
);

describe('an answer that is absent has the default', () => {
  const cases: [type: SurveyVariable['type'], text: string, value: unknown][] = [
    ['', 'web', 'web'],
    ['text', 'a\nb', 'a\nb'],
    ['int', '007', 7],
    ['boolean', 'false', false],
    ['enum', 'green', 'green'],
  ];
  test.each(cases)('%j: %j becomes %j', (type, text, value) => {
    const values = type === 'enum' ? colours : null;
    const one = variable({ type, values, required: true, default_value: text });
    expect(read([one], {})).toEqual({ plain: { one: value }, secret: {} });
  });

  test('but one that was emptied has none', () => {
    const fields = { default_value: 'web' };
    expect(read([variable(fields)], { one: '' })).toEqual({ plain: {}, secret: {} });
    const required = variable({ ...fields, required: true });
    expect(refusal(() => read([required], { one: '' })).fields?.[0]?.code).toBe(
      'survey.answer_required',
    );
  });
});

describe('a default that could never be an answer is refused', () => {
  const cases: [type: SurveyVariable['type'], text: string, code: string][] = [
    ['int', 'x', 'field.integer'],
    ['boolean', 'yes', 'field.invalid'],
    ['enum', 'blue', 'field.invalid'],
    ['secret', 'word', 'survey.default_secret'],
  ];
  test.each(cases)('%j: %j', (type, text, code) => {
    const fields = { name: 'one', title: 'One', type, values: colours, default_value: text };
    expect(findingsOf(surveyVariable, fields)).toEqual([{ path: 'default_value', code }]);
  });
});

describe('a template that allows any variable', () => {
  const asked = [variable({}), variable({ name: 'pass', type: 'secret' })];
  const readAny = (plain: object, secret: object = {}) =>
    readAnswers(asking(asked, true), JSON.stringify(plain), JSON.stringify(secret));

  test('takes those that the survey does not ask for as they are', () => {
    const plain = { one: 'x', list: [1, 'two', null], deep: { a: { b: true } }, nothing: null };
    expect(readAny(plain, { pass: 's', key: 'k' })).toEqual({
      plain,
      secret: { pass: 's', key: 'k' },
    });
  });

  test('refuses an answer to a secret question among those that everybody sees', () => {
    expect(refusal(() => readAny({ pass: 's' }))).toMatchObject({
      code: 'task.field_not_allowed',
      params: { field: 'environment.pass' },
    });
  });
});
