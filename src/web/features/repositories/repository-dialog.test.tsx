import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { type Repository, repositories } from '#shared/api/repositories.ts';
import { aKey, aRepository } from '../../../../test/components/samples.ts';
import { refusalOf, renderAt, replyOf, revision } from '../../../../test/components/render.tsx';
import { RepositoryDialog } from './repository-dialog.tsx';

const listed = [
  { ...aKey, id: 1, name: 'Deploy', type: 'ssh' as const },
  { ...aKey, id: 2, name: 'Nothing', type: 'none' as const },
  { ...aKey, id: 3, name: 'Token', type: 'login_password' as const },
];
const reached = { branches: ['main', 'next'], head: 'main', failure: null };
const url = 'https://git.example.com/team/playbooks.git';

async function openRepository(edit: number | 'new', change: Partial<Repository> = {}) {
  const view = await renderAt(<RepositoryDialog projectId={1} edit={edit} onClose={() => {}} />, {
    replies: [
      replyOf(keys.list, listed),
      replyOf(repositories.one, { ...aRepository, ...change }),
      replyOf(repositories.create, aRepository),
      replyOf(repositories.update, undefined),
      replyOf(repositories.branches, reached),
    ],
  });
  await view.field('Name');
  return view;
}

const first = ['Name *', 'Git URL *', 'ssh', 'https', 'file', 'git', 'local', 'Branch', 'Key *'];

test.each([
  { of: url, status: true },
  { of: 'git@git.example.com:team/playbooks.git', status: true },
  { of: 'file:///srv/playbooks.git', status: false },
  { of: '/srv/playbooks', status: false },
])('a repository at $of offers states of tasks: $status', async ({ of, status }) => {
  const { labels, field } = await openRepository(1, { git_url: of, status_host: '' });
  const expected = [...first, 'Fetch submodules', ...(status ? ['Report commit statuses to'] : [])];
  expect(labels()).toEqual(expected);
  expect((await field('Branch')).disabled).toBe(of === '/srv/playbooks');
});

test('states of tasks need a token, which only a key with a password holds', async () => {
  const { user, labels, choose, field, press, findAllByRole, sent } = await openRepository(1);
  expect(labels()).not.toContain('Token *');
  await choose('Report commit statuses to', 'GitHub');
  expect(labels()).toContain('Token *');
  // The only suitable key is chosen.
  await waitFor(async () => expect((await field('Token')).value).toBe('Token'));
  await user.click(await field('Token'));
  const options = await findAllByRole('option', { hidden: false });
  expect(options.map(({ textContent }) => textContent)).toEqual(['Token']);
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    method: 'PUT',
    path: '/api/project/1/repositories/1',
    ifMatch: revision,
    body: {
      name: 'Playbooks',
      git_url: url,
      git_branch: 'main',
      ssh_key_id: 1,
      with_submodules: true,
      status_host: 'github',
      status_key_id: 3,
    },
  });
});

test('a folder is sent without the host of the address before', async () => {
  const { fill, press, sent } = await openRepository(1, {
    status_host: 'gitlab',
    status_key_id: 3,
  });
  await fill('Git URL', '/srv/playbooks');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({
    git_url: '/srv/playbooks',
    status_host: '',
    status_key_id: null,
  });
});

test('what a new repository needs', async () => {
  const { press, findByText, getByText, queryByText, sent } = await openRepository('new');
  await press('Create');
  expect(await findByText('Git URL is required')).toBeTruthy();
  expect(['Name', 'Key', 'Branch'].map((name) => getByText(`${name} is required`))).toHaveLength(3);
  expect([queryByText('Incorrect URL'), sent]).toEqual([null, []]);
});

test('an empty branch becomes the default branch of the repository when it is created', async () => {
  const { fill, field, press, sent } = await openRepository('new');
  await fill('Name', 'Playbooks');
  await fill('Git URL', url);
  // The only key without a secret suits an https address.
  await waitFor(async () => expect((await field('Key')).value).toBe('Nothing'));
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]?.body).toEqual({ git_url: url, ssh_key_id: 2 });
  expect(sent[1]?.body).toMatchObject({ git_branch: 'main', ssh_key_id: 2 });
});

test('the branch has to be entered if the repository cannot be reached', async () => {
  const { answer, fill, choose, press, findByText, sent } = await openRepository('new');
  answer(replyOf(repositories.branches, { branches: [], head: null, failure: 'Host unknown.' }));
  await fill('Name', 'Playbooks');
  await fill('Git URL', url);
  await choose('Key', 'Deploy');
  await press('Create');
  expect(await findByText(/Cannot detect the default branch: Host unknown\./)).toBeTruthy();
  expect(sent).toHaveLength(1);
});

test('the test of the connection fills the branch, or tells at the field what is wrong', async () => {
  const { answer, field, fill, press, findByText, sent } = await openRepository(1, {
    git_branch: '',
  });
  await press('Test connection');
  expect(await findByText('Connected: 2 branches')).toBeTruthy();
  expect((await field('Branch')).value).toBe('main');
  answer(
    refusalOf(repositories.branches, {
      status: 400,
      code: 'request.invalid',
      fields: [{ path: 'git_url', code: 'repository.url_incorrect', params: {}, message: '' }],
    }),
  );
  await press('Test connection');
  expect(await findByText('Incorrect URL')).toBeTruthy();
  await fill('Git URL', '');
  await press('Test connection');
  expect(await findByText('Git URL is required')).toBeTruthy();
  expect(sent).toHaveLength(2);
});

test('the type of the address is changed without its path, and plain http is warned about', async () => {
  const { user, field, fill, findByLabelText, findByText, queryByText } = await openRepository(1);
  const warning = /^Not encrypted/;
  expect(queryByText(warning)).toBeNull();
  await fill('Git URL', 'http://git.example.com/a.git');
  expect(await findByText(warning)).toBeTruthy();
  await user.click(await findByLabelText('https'));
  expect((await field('Git URL')).value).toBe('https://git.example.com/a.git');
  expect(queryByText(warning)).toBeNull();
});
