import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type ExtractValue, extractValues, matchers } from '#shared/api/matchers.ts';
import { renderAt, replyOf } from '../../../../test/components/render.tsx';
import { MatcherDialog, ValueDialog } from './rule-dialogs.tsx';

const value: ExtractValue = {
  id: 3,
  integration_id: 6,
  name: 'Commit',
  value_source: 'body',
  body_data_type: 'json',
  key: 'after',
  variable_type: 'task',
  variable: 'git_branch',
};
const matcher = {
  id: 4,
  integration_id: 6,
  name: 'Only main',
  match_type: 'header' as const,
  body_data_type: '' as const,
  key: 'X-Event',
  method: 'equals' as const,
  value: 'push',
};
const scope = { projectId: 1, integrationId: 6, onClose: () => {} };

async function openMatcher(edit: number | 'new') {
  const view = await renderAt(<MatcherDialog {...scope} edit={edit} />, {
    replies: [
      replyOf(matchers.one, matcher),
      replyOf(matchers.create, matcher),
      replyOf(matchers.update, undefined),
    ],
  });
  await view.field('Name');
  return view;
}

async function openValue(edit: number | 'new') {
  const view = await renderAt(<ValueDialog {...scope} edit={edit} />, {
    replies: [
      replyOf(extractValues.one, value),
      replyOf(extractValues.create, value),
      replyOf(extractValues.update, undefined),
    ],
  });
  await view.field('Name');
  return view;
}

test('the source of a matcher decides whether its format is asked for, and what a key is', async () => {
  const { choose, labels, findByText } = await openMatcher('new');
  const last = ['Key *', 'Comparison Method *', 'Value *'];
  expect(labels()).toEqual(['Name *', 'Match source *', ...last]);
  await choose('Match source', 'Header');
  expect(labels()).toEqual(['Name *', 'Match source *', ...last]);
  expect(await findByText(/^The name of a header/)).toBeTruthy();
  await choose('Match source', 'Body');
  expect(labels()).toEqual(['Name *', 'Match source *', 'Body Data Format *', ...last]);
  expect(await findByText(/^A path in the body/)).toBeTruthy();
  await choose('Body Data Format', 'String');
  expect(await findByText(/^Uses the whole body/)).toBeTruthy();
});

test('what a matcher needs', async () => {
  const { choose, press, findByText, getByText, sent } = await openMatcher('new');
  await choose('Match source', 'Body');
  await press('Create');
  expect(await findByText('Name is required')).toBeTruthy();
  for (const name of ['Body Data Format', 'Key', 'Comparison Method', 'Value']) {
    expect(getByText(`${name} is required`)).toBeTruthy();
  }
  expect(sent).toEqual([]);
});

test('a matcher of a header has no format, and no header with credentials', async () => {
  const { fill, press, findByText, sent } = await openMatcher(4);
  await fill('Key', 'Authorization');
  await press('Save');
  expect(await findByText(/^This header carries credentials/)).toBeTruthy();
  await fill('Key', 'X-Other');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    method: 'PUT',
    path: '/api/project/1/integrations/6/matchers/4',
    body: {
      name: 'Only main',
      match_type: 'header',
      body_data_type: '',
      key: 'X-Other',
      method: 'equals',
      value: 'push',
    },
  });
});

test('a value is a variable with a name, or the branch to run', async () => {
  const { choose, fill, labels, press, findByText, queryByText, sent } = await openValue(3);
  const first = ['Name *', 'Value Source *', 'Body Data Type *', 'Key *', 'Used as'];
  expect(labels()).toEqual(first);
  const hint = /^The template must allow another branch/;
  expect(queryByText(hint)).toBeTruthy();
  await choose('Used as', 'Variable');
  expect(labels()).toEqual([...first, 'Variable *']);
  expect(queryByText(hint)).toBeNull();
  await press('Save');
  expect(await findByText('Variable is required')).toBeTruthy();
  await fill('Variable', 'commit');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    name: 'Commit',
    value_source: 'body',
    body_data_type: 'json',
    key: 'after',
    variable_type: 'environment',
    variable: 'commit',
  });
});

test('a variable that becomes the branch to run is sent as this launch option', async () => {
  const { choose, fill, press, sent } = await openValue(3);
  await choose('Used as', 'Variable');
  await fill('Variable', 'commit');
  await choose('Used as', 'Branch or commit to run');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ variable_type: 'task', variable: 'git_branch' });
});
