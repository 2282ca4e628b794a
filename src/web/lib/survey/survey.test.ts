import { describe, expect, test } from 'vitest';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { answerProblem, answerTexts, firstAnswers, otherVariables } from './survey.ts';

const variable = (given: Partial<SurveyVariable>): SurveyVariable => ({
  name: 'count',
  title: 'Count',
  description: '',
  type: '',
  required: false,
  values: null,
  default_value: '',
  ...given,
});

describe('answerProblem', () => {
  test.each([
    ['a required answer that is empty', { required: true }, '  ', 'survey.answer_required'],
    ['an optional answer that is empty', {}, '', null],
    ['a number with letters', { type: 'int' as const }, '12a', 'survey.answer_integer'],
    ['a broken number', { type: 'int' as const }, '1.5', 'survey.answer_integer'],
    ['a number', { type: 'int' as const, required: true }, '12', null],
    ['an optional number that is empty', { type: 'int' as const }, '', null],
    ['a switch that is off', { type: 'boolean' as const, required: true }, false, null],
  ])('judges %s', (_name, given, answer, problem) => {
    expect(answerProblem(variable(given), answer)).toBe(problem);
  });
});

test('shows the variables of an earlier task that the survey does not ask for', () => {
  const earlier = '{"count": 3, "list": [1]}';
  expect(JSON.parse(otherVariables([variable({})], earlier))).toEqual({ list: [1] });
  expect(otherVariables([variable({})], '{"count": 3}')).toBe('');
});

test('sends answers with their types, secret ones apart, empty ones not at all', () => {
  const variables = [
    variable({ name: 'text' }),
    variable({ name: 'empty' }),
    variable({ name: 'count', type: 'int' }),
    variable({ name: 'big', type: 'int' }),
    variable({ name: 'on', type: 'boolean' }),
    variable({ name: 'token', type: 'secret' }),
  ];
  const big = '123456789012345678901';
  const answers = { text: 'a "b"', empty: '', count: ' 7 ', big, on: true, token: 's3' };
  const { environment, secret } = answerTexts(variables, answers);
  expect(JSON.parse(environment)).toEqual({ text: 'a "b"', count: 7, big, on: true });
  expect(JSON.parse(secret)).toEqual({ token: 's3' });
});

test('begins with the answers of an earlier task', () => {
  const variables = [
    variable({ name: 'text' }),
    variable({ name: 'count', type: 'int' }),
    variable({ name: 'on', type: 'boolean' }),
    variable({ name: 'token', type: 'secret' }),
  ];
  const earlier = '{"text":"a","count":3,"on":true,"token":"x","gone":1}';
  expect(firstAnswers(variables, earlier)).toEqual({ text: 'a', count: '3', on: true, token: '' });
  expect(firstAnswers(variables, 'not json')).toEqual({
    text: '',
    count: '',
    on: false,
    token: '',
  });
});

test('begins with the defaults, and an emptied one is told to the server', () => {
  const variables = [
    variable({ name: 'text', default_value: 'web' }),
    variable({ name: 'on', type: 'boolean', default_value: 'true' }),
  ];
  expect(firstAnswers(variables)).toEqual({ text: 'web', on: true });
  expect(firstAnswers(variables, '{"text":"db","on":false}')).toEqual({ text: 'db', on: false });
  const { environment } = answerTexts(variables, { text: '', on: false });
  expect(JSON.parse(environment)).toEqual({ text: '', on: false });
});
