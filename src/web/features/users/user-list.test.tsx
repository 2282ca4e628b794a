import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { users } from '#shared/api/users.ts';
import { renderAt, replyOf } from '../../../../test/components/render.tsx';
import { aUser } from '../../../../test/components/samples.ts';
import { useListAddress } from '../../../../test/components/use-list-address.ts';
import { UserList } from './user-list.tsx';

const { second_factor_setup: _setup, ...user } = aUser;
const listed = [
  { ...user, id: 1, name: 'Ada', second_factor: true },
  { ...user, id: 2, name: 'Grace', admin: false, second_factor: true, email: 'grace' },
  { ...user, id: 3, name: 'Linus', admin: false },
];

function Users() {
  return <UserList selfId={1} address={useListAddress()} above={null} tabs={null} />;
}

async function openList() {
  const view = await renderAt(<Users />, {
    replies: [
      replyOf(users.list, listed),
      replyOf(users.remove, undefined),
      replyOf(users.removeSecondFactor, undefined),
    ],
  });
  await view.findByRole('link', { name: 'Grace' });
  return view;
}

test('a login in place of an address is not shown as one', async () => {
  const { getByRole } = await openList();
  const row = getByRole('row', { name: /^Grace/ });
  const cells = within(row).getAllByRole('cell');
  expect(cells.slice(0, 3).map(({ textContent }) => textContent)).toEqual(['Grace', 'ada', '—']);
});

test('nobody is offered to delete the own account', async () => {
  const { getByRole } = await openList();
  const isRefused = (name: string) =>
    getByRole('button', { name: `Delete ${name}` }).getAttribute('aria-disabled') === 'true';
  expect([isRefused('Ada'), isRefused('Linus')]).toEqual([true, false]);
});

test('a second factor is removed of others who have one, after a confirmation', async () => {
  const { findByText, press, queryByRole, sent } = await openList();
  const shown = ['Ada', 'Grace', 'Linus'].filter((name) =>
    queryByRole('button', { name: `Remove second factor: ${name}` }),
  );
  expect(shown).toEqual(['Grace']);
  await press('Remove second factor: Grace');
  expect(await findByText(/^Grace signs in with the password only/)).toBeTruthy();
  await press('Remove');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.path).toBe('/api/users/2/second_factor');
});
