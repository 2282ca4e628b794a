import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type User, users } from '#shared/api/users.ts';
import { refusalOf, renderAt, replyOf, revision } from '../../../../test/components/render.tsx';
import { aUser } from '../../../../test/components/samples.ts';
import { UserDialog } from './user-dialog.tsx';

const { second_factor_setup: _setup, ...stored } = { ...aUser, id: 5, admin: false };

async function openUser(edit: number | 'new', change: Partial<User> = {}, selfId = 1) {
  const view = await renderAt(<UserDialog selfId={selfId} edit={edit} onClose={() => {}} />, {
    replies: [
      replyOf(users.one, { ...stored, ...change }),
      replyOf(users.create, stored),
      replyOf(users.update, undefined),
    ],
  });
  await view.field('Name');
  return view;
}

const names = ['Name *', 'Username *', 'Email *'];
const rights = ['Administrator', 'Can create projects', 'Send alerts'];

test('an external user has no password here', async () => {
  const { labels, tick, fill, press, sent } = await openUser('new');
  expect(labels()).toEqual([...names, 'External', 'Password *', ...rights]);
  await tick('External');
  expect(labels()).toEqual([...names, 'External', ...rights]);
  await fill('Name', 'Grace');
  await fill('Username', 'grace');
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    name: 'Grace',
    username: 'grace',
    email: 'grace',
    password: '',
    admin: false,
    alert: false,
    external: true,
  });
});

test('a user of this server needs name, username, address and password', async () => {
  const { press, fill, findByText, getByText, sent } = await openUser('new');
  await press('Create');
  expect(await findByText('Name is required')).toBeTruthy();
  const errors = ['Username', 'Email', 'Password'].map((name) => getByText(`${name} is required`));
  expect(errors).toHaveLength(3);
  await fill('Email', 'grace');
  await press('Create');
  expect(await findByText('This is not an email address')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('an administrator needs no right to create projects', async () => {
  const { labels, tick } = await openUser('new');
  await tick('Administrator');
  expect(labels().slice(-2)).toEqual(['Administrator', 'Send alerts']);
});

test('a change keeps the password unless a new one is entered, and sends the revision', async () => {
  const { labels, fill, press, sent } = await openUser(5);
  expect(labels()).toEqual([...names, 'New password', ...rights]);
  await fill('Name', 'Grace');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([
    {
      method: 'PUT',
      path: '/api/users/5',
      ifMatch: revision,
      body: {
        name: 'Grace',
        username: 'ada',
        email: 'ada@example.com',
        old_password: '',
        admin: false,
        alert: false,
        can_create_project: false,
      },
    },
  ]);
});

test('a stored external user cannot be renamed here', async () => {
  const { field, labels, getByText } = await openUser(5, { external: true });
  expect(labels()).toEqual([...names, ...rights]);
  for (const label of ['Name', 'Username', 'Email']) {
    expect([label, (await field(label)).disabled]).toEqual([label, true]);
  }
  expect(getByText(/^This user signs in with an external provider/)).toBeTruthy();
});

test.each([
  { selfId: 5, isSelf: true },
  { selfId: 1, isSelf: false },
])('only others can stop being administrators (own account: $isSelf)', async (given) => {
  const { field, queryByText } = await openUser(5, { admin: true }, given.selfId);
  expect((await field('Administrator')).disabled).toBe(given.isSelf);
  const words = queryByText(
    'You cannot remove your own administrator rights. Ask another administrator.',
  );
  expect(words !== null).toBe(given.isSelf);
});

test('the current password is asked for once the server wants it', async () => {
  const { answer, fill, press, labels, findByText, sent } = await openUser(5, {}, 5);
  answer(
    refusalOf(users.update, {
      status: 400,
      code: 'request.invalid',
      fields: [
        { path: 'old_password', code: 'user.old_password_required', params: {}, message: '' },
      ],
    }),
  );
  await fill('New password', 'correct horse');
  await press('Save');
  expect(await findByText('Current password is required')).toBeTruthy();
  expect(labels()).toEqual([...names, 'New password', 'Current password *', ...rights]);
  answer(replyOf(users.update, undefined));
  await fill('Current password', 'battery staple');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body).toMatchObject({
    password: 'correct horse',
    old_password: 'battery staple',
  });
});
