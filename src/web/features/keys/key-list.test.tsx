import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Key, keys } from '#shared/api/keys.ts';
import { noReferences } from '#shared/api/references.ts';
import { refusalOf, renderAt, replyOf } from '../../../../test/components/render.tsx';
import { aKey } from '../../../../test/components/samples.ts';
import { useListAddress } from '../../../../test/components/use-list-address.ts';
import { KeyList } from './key-list.tsx';

const named = (id: number, name: string, change: Partial<Key> = {}): Key => ({
  ...aKey,
  id,
  name,
  ...change,
});
const listed = [
  named(1, 'web10'),
  named(2, 'web2', { type: 'login_password', empty: true }),
  named(3, 'Nothing', { type: 'none' }),
];
const many = Array.from({ length: 21 }, (_, index) => named(index + 1, `key-${index + 1}`));

function Keys({ mayManage }: { mayManage: boolean }) {
  return <KeyList projectId={1} mayManage={mayManage} tabs={null} address={useListAddress()} />;
}

async function openList(rows: Key[], mayManage = true) {
  const view = await renderAt(<Keys mayManage={mayManage} />, {
    replies: [
      replyOf(keys.list, rows),
      replyOf(keys.one, named(1, 'web10')),
      replyOf(keys.refs, noReferences),
      replyOf(keys.remove, undefined),
    ],
  });
  await view.findByRole('heading', { name: 'Key Store' });
  /** The texts of the rows, by cell. */
  const cells = () =>
    view
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      );
  return { ...view, cells };
}

test('keys are in the order of their names, with type and whether a secret is stored', async () => {
  const { cells, findByRole } = await openList(listed, false);
  await findByRole('cell', { name: 'web2' });
  expect(cells()).toEqual([
    ['Nothing', 'None', '—'],
    ['web2', 'Login with password', 'Missing'],
    ['web10', 'SSH key', 'Stored'],
  ]);
});

test('a heading sorts by its column, and the other way when it is pressed again', async () => {
  const { cells, findByRole, getByRole, press } = await openList(listed, false);
  await findByRole('cell', { name: 'web2' });
  const names = () => cells().map(([name]) => name);
  await press('Type');
  expect(names()).toEqual(['web2', 'Nothing', 'web10']);
  expect(getByRole('columnheader', { name: 'Type' }).getAttribute('aria-sort')).toBe('ascending');
  await press('Type');
  expect(names()).toEqual(['web10', 'Nothing', 'web2']);
  await press('Name');
  expect(names()).toEqual(['Nothing', 'web2', 'web10']);
});

test('who only reads keys is offered no change', async () => {
  const { findByRole, queryByRole } = await openList(listed, false);
  await findByRole('cell', { name: 'web2' });
  for (const name of ['New Key', 'Edit web2', 'Delete web2']) {
    expect([name, queryByRole('button', { name })]).toEqual([name, null]);
  }
  expect(queryByRole('link', { name: 'web2' })).toBeNull();
});

test('who manages keys opens one by its button, and closes it again', async () => {
  const { press, findByRole, queryByRole, field } = await openList(listed);
  expect(await findByRole('link', { name: 'web2' })).toBeTruthy();
  await press('Edit web10');
  expect((await field('Name')).value).toBe('web10');
  await press('Cancel');
  await waitFor(() => expect(queryByRole('dialog')).toBeNull());
});

test.each([
  { mayManage: true, text: /^Tasks use keys to sign in/, buttons: 2 },
  { mayManage: false, text: 'Owners and managers of the project can add keys.', buttons: 0 },
])('an empty list says who adds keys (may manage: $mayManage)', async (given) => {
  const { findByText, queryAllByRole } = await openList([], given.mayManage);
  expect(await findByText(given.text)).toBeTruthy();
  expect(queryAllByRole('button', { name: 'New Key' })).toHaveLength(given.buttons);
});

test.each([
  { rows: many.slice(1), hasSearch: false },
  { rows: many, hasSearch: true },
])('a list of $rows.length keys has a search: $hasSearch', async ({ rows, hasSearch }) => {
  const { findByRole, queryByRole } = await openList(rows);
  await findByRole('link', { name: 'key-7' });
  expect(queryByRole('searchbox', { name: 'Search' }) !== null).toBe(hasSearch);
});

test('the search keeps the rows with every word, and can be cleared', async () => {
  const { cells, findByRole, findByText, press, user } = await openList([
    ...many,
    named(30, 'Spare', { type: 'none' }),
  ]);
  const search = await findByRole('searchbox', { name: 'Search' });
  await user.click(search);
  await user.paste('none SPARE');
  expect(cells().map(([name]) => name)).toEqual(['Spare']);
  await user.paste(' x');
  expect(await findByText('Nothing matches “none SPARE x”')).toBeTruthy();
  await press('Clear search');
  expect(cells()).toHaveLength(22);
});

test('a list that cannot be read says why, and is read again on request', async () => {
  const { answer, findByText, findByRole, press } = await renderAt(<Keys mayManage />, {
    replies: [refusalOf(keys.list, { status: 404, code: 'project.not_found' })],
  });
  expect(
    await findByText('This project does not exist, or you are not a member of it.'),
  ).toBeTruthy();
  answer(replyOf(keys.list, listed));
  await press('Try again');
  expect(await findByRole('link', { name: 'web2' })).toBeTruthy();
});

test('a key is deleted after a confirmation', async () => {
  const { press, findByText, sent } = await openList(listed);
  await press('Delete web2');
  expect(await findByText(/^This permanently deletes the key web2/)).toBeTruthy();
  expect(sent).toEqual([]);
  await press('Delete');
  await waitFor(() => expect(sent).toEqual([{ method: 'DELETE', path: '/api/project/1/keys/2' }]));
});

test('a key that is used shows by what, and is not offered to be deleted', async () => {
  const { answer, press, findByText, findByRole, queryByRole, sent } = await openList(listed);
  answer(replyOf(keys.refs, { ...noReferences, inventories: [{ id: 4, name: 'Production' }] }));
  await press('Delete web2');
  expect(await findByText(/^Cannot delete the key/)).toBeTruthy();
  const link = await findByRole('link', { name: 'Production' });
  expect(link.getAttribute('href')).toBe('/project/1/inventory?edit=4');
  expect(queryByRole('button', { name: 'Delete' })).toBeNull();
  expect(sent).toEqual([]);
});
