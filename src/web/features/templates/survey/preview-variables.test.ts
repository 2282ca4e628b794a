import { expect, test } from 'vitest';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { previewVariables } from './preview-variables.ts';

const typed: SurveyVariable = {
  name: '',
  title: '',
  description: '',
  type: 'enum',
  required: false,
  default_value: '',
  values: [
    { name: '', value: 'eu' },
    { name: 'Europe', value: 'eu' },
    { name: 'Later', value: '' },
  ],
};

test('variables that are still typed have names, titles and distinct values in the preview', () => {
  const shown = previewVariables([typed, { ...typed, name: 'a.b', title: 'B', values: null }]);
  expect(shown.map(({ name, title, values }) => ({ name, title, values }))).toEqual([
    { name: 'variable_0', title: '…', values: [{ name: 'eu', value: 'eu' }] },
    { name: 'variable_1', title: 'B', values: [] },
  ]);
});
