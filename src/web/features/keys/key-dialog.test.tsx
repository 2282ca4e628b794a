import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { type Key, keys } from '#shared/api/keys.ts';
import { refusalOf, renderAt, replyOf, revision } from '../../../../test/components/render.tsx';
import { aKey } from '../../../../test/components/samples.ts';
import { KeyDialog } from './key-dialog.tsx';

const stored: Key = {
  ...aKey,
  id: 7,
  type: 'login_password',
  login_password: { login: 'deploy', password: '' },
};

const publicKey = 'ssh-ed25519 AAAA me@example.com';

async function openKey(change: Partial<Key> = {}) {
  const onClose = vi.fn<() => void>();
  const view = await renderAt(<KeyDialog projectId={1} edit={7} onClose={onClose} />, {
    replies: [replyOf(keys.one, { ...stored, ...change }), replyOf(keys.update, undefined)],
  });
  await view.field('Name');
  return { ...view, onClose };
}

async function newKey() {
  const onMade = vi.fn<(id: number) => void>();
  const view = await renderAt(
    <KeyDialog projectId={1} edit="new" onClose={() => {}} onMade={onMade} />,
    { replies: [replyOf(keys.create, stored)] },
  );
  await view.field('Name');
  return { ...view, onMade };
}

test('a new key needs a name and a type', async () => {
  const { press, sent, findByText, getByText } = await newKey();
  await press('Create');
  expect(await findByText('Name is required')).toBeTruthy();
  expect(getByText('Type is required')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('the type of a new key decides which secrets the form asks for', async () => {
  const { choose, labels, queryByText } = await newKey();
  const none = () => queryByText('For repositories and hosts that need no credentials');
  expect([labels(), none()]).toEqual([['Name *', 'Type *'], null]);
  await choose('Type', 'Login with password');
  expect(labels()).toEqual(['Name *', 'Type *', 'Login', 'Password *']);
  await choose('Type', 'SSH key');
  expect(labels()).toEqual(['Name *', 'Type *', 'Login', 'Passphrase', 'Private key *']);
  expect(none()).toBeNull();
  await choose('Type', 'None');
  expect(labels()).toEqual(['Name *', 'Type *']);
  expect(none()).toBeTruthy();
});

test('a new key sends the secret of its type only', async () => {
  const { fill, choose, press, sent, onMade } = await newKey();
  await fill('Name', 'Deploy');
  await choose('Type', 'Login with password');
  await fill('Password', 's3cret');
  await press('Create');
  await waitFor(() => expect(onMade).toHaveBeenCalledWith(7));
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/api/project/1/keys',
      body: {
        name: 'Deploy',
        type: 'login_password',
        override_secret: false,
        login_password: { login: '', password: 's3cret' },
      },
    },
  ]);
});

test('a key without a password, or with a public key, is not sent', async () => {
  const { fill, choose, press, findByText, sent } = await newKey();
  await fill('Name', 'Deploy');
  await choose('Type', 'Login with password');
  await press('Create');
  expect(await findByText('Password is required')).toBeTruthy();
  await choose('Type', 'SSH key');
  await fill('Private key', publicKey);
  await press('Create');
  expect(await findByText(/^This is a public key/)).toBeTruthy();
  expect(sent).toEqual([]);
});

test('a stored key keeps its secret, and is changed with its revision', async () => {
  const { field, fill, labels, press, sent, onClose } = await openKey();
  expect(labels()).toEqual(['Name *', 'Type *', 'Replace the secret', 'Login', 'Password']);
  for (const label of ['Type', 'Login', 'Password']) {
    expect([label, (await field(label)).disabled]).toEqual([label, true]);
  }
  await fill('Name', 'Deploy 2');
  await press('Save');
  await waitFor(() => expect(onClose).toHaveBeenCalledWith());
  expect(sent).toEqual([
    {
      method: 'PUT',
      path: '/api/project/1/keys/7',
      ifMatch: revision,
      body: {
        name: 'Deploy 2',
        type: 'login_password',
        override_secret: false,
        login_password: { login: 'deploy', password: '' },
      },
    },
  ]);
});

test('a secret that is replaced has to be entered', async () => {
  const { tick, fill, labels, press, findByText, sent } = await openKey();
  await tick('Replace the secret');
  expect(labels().slice(3)).toEqual(['Login', 'Password *']);
  await press('Save');
  expect(await findByText('Password is required')).toBeTruthy();
  await fill('Password', 'new');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    name: 'Deploy',
    type: 'login_password',
    override_secret: true,
    login_password: { login: 'deploy', password: 'new' },
  });
});

test.each([
  { empty: true, type: 'ssh' as const, replaces: true },
  { empty: true, type: 'none' as const, replaces: false },
  { empty: false, type: 'ssh' as const, replaces: false },
])('a key of type $type (empty: $empty) opens with replacing: $replaces', async (given) => {
  const { field } = await openKey({ type: given.type, empty: given.empty });
  expect((await field('Replace the secret')).checked).toBe(given.replaces);
});

test('the field that the server refuses shows the error and keeps its value', async () => {
  const { user, answer, field, fill, press, findByText, queryByText, onClose } = await openKey();
  const code = 'key.passphrase_required';
  answer(
    refusalOf(keys.update, {
      status: 400,
      code: 'request.invalid',
      fields: [{ path: 'name', code, params: {}, message: '' }],
    }),
  );
  await fill('Name', 'Deploy 2');
  await press('Save');
  const error = await findByText('This private key is encrypted. Enter its passphrase');
  const name = await field('Name');
  expect(name.getAttribute('aria-describedby')).toContain(error.id);
  expect([name.value, document.activeElement === name]).toEqual(['Deploy 2', true]);
  await user.type(name, '3');
  expect(queryByText('This private key is encrypted. Enter its passphrase')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});

test('a change by somebody else can be overwritten', async () => {
  const { answer, fill, press, findByRole, sent, onClose } = await openKey();
  answer(refusalOf(keys.update, { status: 412, code: 'request.stale' }));
  await fill('Name', 'Mine');
  await press('Save');
  await findByRole('button', { name: 'Overwrite with my changes' });
  answer(replyOf(keys.update, undefined));
  await press('Overwrite with my changes');
  await waitFor(() => expect(onClose).toHaveBeenCalledWith());
  expect(sent.map(({ ifMatch }) => ifMatch)).toEqual([revision, undefined]);
  expect(sent[1]?.body).toEqual(sent[0]?.body);
});

test('a change by somebody else can be loaded in place of what was entered', async () => {
  const { answer, field, fill, press, sent } = await openKey();
  answer(
    refusalOf(keys.update, { status: 412, code: 'request.stale' }),
    replyOf(keys.one, { ...stored, name: 'Theirs' }),
  );
  await fill('Name', 'Mine');
  await press('Save');
  await press('Discard my changes and load the latest version');
  await waitFor(async () => expect((await field('Name')).value).toBe('Theirs'));
  expect(sent).toHaveLength(1);
});

test('a key that cannot be read shows why, and is read again on request', async () => {
  const { answer, press, findByText, field } = await renderAt(
    <KeyDialog projectId={1} edit={7} onClose={() => {}} />,
    { replies: [refusalOf(keys.one, { status: 404, code: 'key.not_found' })] },
  );
  expect(await findByText('This key does not exist in this project.')).toBeTruthy();
  answer(replyOf(keys.one, stored));
  await press('Try again');
  expect((await field('Name')).value).toBe('Deploy');
});
