import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { renderAt } from '../../../../../test/components/render.tsx';
import { SurveyEditor } from './survey-editor.tsx';

const region: SurveyVariable = {
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
const version: SurveyVariable = {
  ...region,
  name: 'version',
  title: 'Version',
  type: '',
  values: null,
  default_value: '',
};

interface Setup {
  variables?: SurveyVariable[];
  hasTarget?: boolean;
  errors?: Record<string, ReactNode>;
}

async function openSurvey({ variables = [region], hasTarget = true, errors = {} }: Setup = {}) {
  let latest = variables;
  function Editor() {
    const [shown, setShown] = useState(variables);
    return (
      <SurveyEditor
        label={label}
        path="survey"
        variables={shown}
        errors={errors}
        hasTarget={hasTarget}
        onChange={(changed) => {
          latest = changed;
          setShown(changed);
        }}
      />
    );
  }
  const view = await renderAt(<Editor />);
  return { ...view, variables: () => latest };
}

const label = 'Survey';
const first = ['Title *', 'Name *', 'Description', 'Type', 'Answer becomes'];

test('the type of a variable decides what it asks for', async () => {
  const view = await openSurvey({ variables: [] });
  await view.press('Add variable');
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
  const { press, labels } = await openSurvey({ variables: [version], hasTarget: false });
  await press('Version version · String · Required');
  expect(labels()).toEqual([...first.slice(0, 4), 'Default value', 'Required']);
});

test('a variable is added and typed by keyboard, and keeps the focus while its name changes', async () => {
  const { user, findByRole, field, variables } = await openSurvey();
  (await findByRole('button', { name: 'Add variable' })).focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(await field('Title'));
  await user.keyboard('Release{Tab}release');
  expect(document.activeElement).toBe(await field('Name'));
  expect(variables()).toMatchObject([region, { title: 'Release', name: 'release', type: '' }]);
});

test('the values of an enumeration are the choices of its default', async () => {
  const { options, press } = await openSurvey();
  await press('Region region · Enumeration · Required');
  expect(await options('Default value')).toEqual(['Europe', 'us']);
  await press('Remove value 2');
  expect(await options('Default value')).toEqual(['Europe']);
});

test('another type drops the default and the values', async () => {
  const { choose, field, fill, press, variables } = await openSurvey();
  await press('Region region · Enumeration · Required');
  await choose('Type', 'Integer');
  expect((await field('Default value')).value).toBe('');
  await fill('Default value', '3');
  await choose('Answer becomes', 'Environment variable');
  expect(variables()).toEqual([
    { ...region, type: 'int', default_value: '3', values: null, target: 'env' },
  ]);
});

test('a removed variable comes back to its place', async () => {
  const { press, findByText, findByRole, queryByText, variables } = await openSurvey({
    variables: [region, version],
  });
  await press('Delete Region');
  expect(variables()).toEqual([version]);
  await findByText('“Region” removed');
  expect(document.activeElement).toBe(await findByRole('button', { name: 'Undo' }));
  await press('Undo');
  expect(variables()).toEqual([region, version]);
  expect(queryByText('“Region” removed')).toBeNull();
});

test('a variable with an error is open', async () => {
  const { field, findByText, labels } = await openSurvey({
    variables: [region, version],
    errors: { 'survey.1.name': 'Another variable has this name' },
  });
  await findByText('Another variable has this name');
  expect((await field('Title')).value).toBe('Version');
  expect(labels().filter((shown) => shown === 'Title *')).toHaveLength(1);
});
