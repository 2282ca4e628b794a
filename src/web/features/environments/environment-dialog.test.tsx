import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Environment, environments } from '#shared/api/environments.ts';
import { refusalOf, renderAt, replyOf, revision } from '../../../../test/components/render.tsx';
import { EnvironmentDialog } from './environment-dialog.tsx';

const secretOf = (id: number, name: string, empty = false) => ({
  id,
  name,
  type: 'var' as const,
  empty,
  secret: '' as const,
  operation: '' as const,
});

const stored: Environment = {
  id: 3,
  project_id: 1,
  name: 'Production',
  json: '{"port": 8080}',
  env: '{}',
  password: null,
  secrets: [secretOf(1, 'token'), secretOf(2, 'lost', true)],
};

async function openEnvironment(edit: number | 'new', change: Partial<Environment> = {}) {
  const view = await renderAt(<EnvironmentDialog projectId={1} edit={edit} onClose={() => {}} />, {
    replies: [
      replyOf(environments.one, { ...stored, ...change }),
      replyOf(environments.create, stored),
      replyOf(environments.update, undefined),
    ],
  });
  await view.field('Name');
  return view;
}

test('a new environment sends its variables with their types', async () => {
  const { user, fill, press, findAllByRole, sent } = await openEnvironment('new');
  await fill('Name', 'Staging');
  const [extra, process] = await findAllByRole('button', { name: 'Add variable' });
  if (!extra || !process) throw new Error('There are no buttons that add variables');
  await user.click(extra);
  await fill('Extra variables: name 1', 'port');
  await fill('Extra variables: value 1', '8080');
  await user.click(process);
  await fill('Environment variables: name 1', 'PORT');
  await fill('Environment variables: value 1', '8080');
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    name: 'Staging',
    json: '{\n  "port": 8080\n}',
    env: '{\n  "PORT": "8080"\n}',
    secrets: [],
  });
});

test.each([
  { name: '', error: 'Name is required' },
  { name: 'port', error: 'port is defined twice' },
])('a second variable named "$name" is refused', async ({ name, error }) => {
  const { user, fill, press, findAllByRole, findByText, sent } = await openEnvironment(3);
  const [extra] = await findAllByRole('button', { name: 'Add variable' });
  if (!extra) throw new Error('There is no button that adds variables');
  await user.click(extra);
  if (name !== '') await fill('Extra variables: name 2', name);
  await press('Save');
  expect(await findByText(error)).toBeTruthy();
  expect(sent).toEqual([]);
});

test('variables that fit into no row are shown as JSON only', async () => {
  const { findByRole, queryByLabelText } = await openEnvironment(3, {
    json: '{"ports": [80, 443]}',
  });
  expect(queryByLabelText('Extra variables: name 1')).toBeNull();
  const table = await findByRole('radio', { name: 'Table', checked: false });
  expect(table.hasAttribute('disabled')).toBe(true);
});

test('a stored secret is not shown, and one without a value asks for it', async () => {
  const { queryByLabelText, getByText, field } = await openEnvironment(3);
  expect(queryByLabelText('Value of secret token')).toBeNull();
  expect((await field('Value of secret lost')).value).toBe('');
  expect([getByText('Stored'), getByText('Missing')]).toHaveLength(2);
});

test('every secret is sent with what becomes of it, and the revision', async () => {
  const view = await openEnvironment(3, {
    secrets: [secretOf(1, 'kept'), secretOf(2, 'changed'), secretOf(3, 'gone'), secretOf(4, 'old')],
  });
  await view.press('Replace secret changed');
  await view.fill('Value of secret changed', 's3cret');
  await view.press('Delete secret gone');
  expect(view.getByText('Deleted when you save')).toBeTruthy();
  await view.fill('Secret: name 4', 'new');
  await view.press('Add secret');
  await view.fill('Secret: name 5', 'added');
  await view.choose('Type of secret added', 'Environment variable');
  await view.fill('Value of secret added', 'value');
  await view.press('Save');
  await waitFor(() => expect(view.sent).toHaveLength(1));
  const type = 'var';
  expect(view.sent[0]).toEqual({
    method: 'PUT',
    path: '/api/project/1/environment/3',
    ifMatch: revision,
    body: {
      name: 'Production',
      json: '{"port": 8080}',
      env: '{}',
      secrets: [
        { id: 1, type, name: 'kept', secret: '', operation: '' },
        { id: 2, type, name: 'changed', secret: 's3cret', operation: 'update' },
        { id: 3, type, name: 'gone', secret: '', operation: 'delete' },
        { id: 4, type, name: 'new', secret: '', operation: 'update' },
        { id: null, type: 'env', name: 'added', secret: 'value', operation: 'create' },
      ],
    },
  });
});

test('a secret that was to be deleted can be kept, and a new one is removed at once', async () => {
  const { press, queryByLabelText, queryByText } = await openEnvironment(3);
  await press('Delete secret token');
  await press('Keep secret token');
  expect([queryByText('Stored') !== null, queryByText('Deleted when you save')]).toEqual([
    true,
    null,
  ]);
  await press('Add secret');
  expect(queryByLabelText('Secret: name 3')).toBeTruthy();
  await press('Delete secret 3');
  expect(queryByLabelText('Secret: name 3')).toBeNull();
});

test('an error of the server about a secret is shown in its row', async () => {
  const { answer, field, press, findByText } = await openEnvironment(3);
  answer(
    refusalOf(environments.update, {
      status: 400,
      code: 'request.invalid',
      fields: [
        { path: 'secrets.1.name', code: 'environment.secret_repeated', params: {}, message: '' },
      ],
    }),
  );
  await press('Save');
  const error = await findByText('Another secret of this type has this name');
  const input = await field('Secret: name 2');
  expect(input.getAttribute('aria-describedby')).toContain(error.id);
});
