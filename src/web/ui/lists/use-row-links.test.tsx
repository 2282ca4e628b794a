// A click in a row opens what its name links to.

import { fireEvent } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderAt } from '../../../../test/components/render.tsx';
import { type Column, DataTable } from './data-table.tsx';

interface Host {
  id: number;
  name: string;
  group: string;
}

const rows: Host[] = [
  { id: 1, name: 'web1', group: 'web' },
  { id: 2, name: 'db1', group: 'db' },
];

async function openHosts(hasLinks = true) {
  const opened = vi.fn<(name: string) => void>();
  const deleted = vi.fn<() => void>();
  const columns: Column<Host>[] = [
    { key: 'box', title: '', isSelection: true, cell: () => <i data-testid="beside box" /> },
    {
      key: 'name',
      title: 'Name',
      cell: ({ name }) =>
        hasLinks ? (
          <a
            href={`#${name}`}
            onClick={(event) => {
              event.preventDefault();
              opened(name);
            }}
          >
            {name}
          </a>
        ) : (
          name
        ),
    },
    { key: 'group', title: 'Group', cell: ({ group }) => group },
    { key: 'other', title: 'Other', cell: () => <a href={'#other'}>{'Other'}</a> },
    {
      key: 'actions',
      title: '',
      hiddenTitle: 'Actions',
      cell: () => (
        <button type="button" onClick={deleted}>
          {'Delete'}
        </button>
      ),
    },
  ];
  const view = await renderAt(
    <DataTable label={'Hosts'} columns={columns} rows={rows} rowKey={({ id }) => id} />,
  );
  await view.findByText('web');
  return { ...view, opened, deleted };
}

test('a click beside the controls of a row opens its name', async () => {
  const { user, getByText, opened } = await openHosts();
  await user.click(getByText('db'));
  expect(opened.mock.calls).toEqual([['db1']]);
});

test('controls, other links and the column of checkboxes do what they do', async () => {
  const { user, getAllByText, getAllByTestId, opened, deleted } = await openHosts();
  const [button] = getAllByText('Delete');
  const [other] = getAllByText('Other', { selector: 'a' });
  const [beside] = getAllByTestId('beside box');
  for (const one of [button, other, beside]) if (one) await user.click(one);
  expect(deleted).toHaveBeenCalledOnce();
  expect(opened).not.toHaveBeenCalled();
});

test('a click on the link opens it once', async () => {
  const { user, getByRole, opened } = await openHosts();
  await user.click(getByRole('link', { name: 'web1' }));
  expect(opened).toHaveBeenCalledOnce();
});

test('a click that ends a selection of text opens nothing', async () => {
  const { getByText, opened } = await openHosts();
  const text = getByText('web');
  getSelection()?.selectAllChildren(text);
  fireEvent.click(text);
  expect(opened).not.toHaveBeenCalled();
  getSelection()?.removeAllRanges();
  fireEvent.click(text);
  expect(opened).toHaveBeenCalledOnce();
});

test('a middle click, and a click with Ctrl, open a new tab', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const { getByText, opened } = await openHosts();
  fireEvent.click(getByText('web'), { ctrlKey: true });
  fireEvent(getByText('db'), new MouseEvent('auxclick', { bubbles: true, button: 1 }));
  fireEvent(getByText('db'), new MouseEvent('auxclick', { bubbles: true, button: 2 }));
  expect(open.mock.calls.map(([address]) => new URL(String(address)).hash)).toEqual([
    '#web1',
    '#db1',
  ]);
  expect(opened).not.toHaveBeenCalled();
  open.mockRestore();
});

test('rows without a link open nothing, and no row has a role of its own', async () => {
  const { user, getByText, getAllByRole, opened } = await openHosts(false);
  await user.click(getByText('db'));
  expect(opened).not.toHaveBeenCalled();
  expect(getAllByRole('row').every((row) => !row.hasAttribute('role'))).toBe(true);
});
