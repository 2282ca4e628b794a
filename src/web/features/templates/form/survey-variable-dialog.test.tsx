import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { renderAt } from '../../../../../test/components/render.tsx';
import { SurveyVariableDialog } from './survey-variable-dialog.tsx';

const stored: SurveyVariable = {
  name: 'region',
  title: 'Region',
  description: '',
  type: 'enum',
  required: true,
  default_value: 'eu',
  values: [
    { name: 'Europe', value: 'eu' },
    { name: '', value: 'us' },
  ],
};

async function openVariable(variable: SurveyVariable | null, hasTarget = true) {
  const onSave = vi.fn<(saved: SurveyVariable) => void>();
  const view = await renderAt(
    <SurveyVariableDialog
      opened
      variable={variable}
      taken={['version']}
      hasTarget={hasTarget}
      onSave={onSave}
      onClose={() => {}}
    />,
  );
  await view.field('Title');
  return { ...view, onSave };
}

const first = ['Title *', 'Name *', 'Description', 'Type', 'Answer becomes'];

test('the type of a variable decides what the form asks for', async () => {
  const view = await openVariable(null);
  const expected = {
    Integer: ['Default value', 'Required'],
    'Multi-line text': ['Default value', 'Required'],
    Enumeration: ['Default value', 'Required'],
    Secret: ['Required'],
    Boolean: ['On by default'],
    String: ['Default value', 'Required'],
  };
  for (const [type, labels] of Object.entries(expected)) {
    await view.choose('Type', type);
    expect(view.labels()).toEqual([...first, ...labels]);
    const addsValues = view.queryByRole('button', { name: 'Add value' }) !== null;
    expect([type, addsValues]).toEqual([type, type === 'Enumeration']);
  }
});

test('only the answer of a template may become an environment variable', async () => {
  const { labels } = await openVariable(null, false);
  expect(labels()).toEqual([...first.slice(0, 4), 'Default value', 'Required']);
});

test('a variable needs a title, a name that no other has, and values to choose from', async () => {
  const { fill, choose, press, findByText, onSave } = await openVariable(null);
  await choose('Type', 'Enumeration');
  await fill('Name', 'version');
  await press('Create');
  expect(await findByText('Title is required')).toBeTruthy();
  expect(await findByText('Another variable has this name')).toBeTruthy();
  expect(await findByText('Enumeration must have values.')).toBeTruthy();
  expect(onSave).not.toHaveBeenCalled();
});

test('the values of an enumeration are the choices of its default', async () => {
  const { options, press } = await openVariable(stored);
  expect(await options('Default value')).toEqual(['Europe', 'us']);
  await press('Remove value 2');
  expect(await options('Default value')).toEqual(['Europe']);
});

test('another type drops the default and the values', async () => {
  const { choose, field, fill, press, onSave } = await openVariable(stored);
  await choose('Type', 'Integer');
  expect((await field('Default value')).value).toBe('');
  await fill('Default value', '3');
  await choose('Answer becomes', 'Environment variable');
  await press('Save');
  await waitFor(() => expect(onSave).toHaveBeenCalledTimes(1));
  expect(onSave).toHaveBeenCalledWith({
    ...stored,
    type: 'int',
    default_value: '3',
    values: null,
    target: 'env',
  });
});

test('the name of an environment variable must not change how programs behave', async () => {
  const { choose, fill, press, findByText, onSave } = await openVariable(stored);
  await choose('Answer becomes', 'Environment variable');
  await fill('Name', 'LD_PRELOAD');
  await press('Save');
  expect(await findByText(/^An answer cannot set this environment variable/)).toBeTruthy();
  expect(onSave).not.toHaveBeenCalled();
});
