// Selecting rows of a list, by mouse and by keyboard.

import { within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../../test/components/render.tsx';
import { useListAddress } from '../../../../test/components/use-list-address.ts';
import type { Column } from './data-table.tsx';
import { List } from './list.tsx';
import { SelectionBar } from './selection-bar.tsx';

interface Host {
  id: number;
  name: string;
}

const hostsUpTo = (count: number): Host[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `web${index + 1}` }));

const column: Column<Host> = {
  key: 'name',
  title: 'Name',
  sortBy: ({ name }) => name,
  cell: ({ name }) => <a href={`#${name}`}>{name}</a>,
};

function Hosts({ count }: { count: number }) {
  const [hosts, setHosts] = useState(hostsUpTo(count));
  return (
    <List
      label={'Hosts'}
      rows={hosts}
      rowKey={({ id }) => id}
      columns={[column]}
      failure={null}
      onRetry={() => undefined}
      empty={null}
      textOf={({ name }) => name}
      address={useListAddress()}
      pageSize={10}
      selection={{
        isSelectable: ({ name }) => name !== 'web3',
        nameOf: ({ name }) => name,
        renderBar: (selection) => (
          <SelectionBar selection={selection}>
            <output aria-label={'Chosen'}>
              {selection.selected.map(({ name }) => name).join(' ')}
            </output>
            <button type="button" onClick={() => setHosts(hosts.slice(1))}>
              {'Remove web1'}
            </button>
            <button type="button" onClick={() => selection.keep(selection.selected.slice(0, 1))}>
              {'Keep the first'}
            </button>
          </SelectionBar>
        ),
      }}
    />
  );
}

async function openHosts(count = 30) {
  const view = await renderAt(<Hosts count={count} />);
  await view.findByRole('link', { name: 'web1' });
  return {
    ...view,
    box: (name: string) => view.getByRole('checkbox', { name }) as HTMLInputElement,
    focus: (name: string) => view.getByRole('link', { name }).focus(),
    /** The names of the selected rows; null: the bar is not shown. */
    chosen: () =>
      view.queryByRole('toolbar', { name: 'Selection' }) &&
      view.getByRole('status', { name: 'Chosen' }).textContent,
  };
}

test('a checkbox selects its row, and the bar counts what is selected', async () => {
  const { user, box, chosen, getByRole } = await openHosts();
  expect(chosen()).toBeNull();
  await user.click(box('Select web2'));
  await user.click(box('Select web5'));
  expect(chosen()).toBe('web2 web5');
  const bar = within(getByRole('toolbar', { name: 'Selection' }));
  bar.getByText('2 selected');
  await user.click(box('Select web2'));
  expect(chosen()).toBe('web5');
  await user.click(bar.getByRole('button', { name: 'Clear selection' }));
  expect(chosen()).toBeNull();
});

test('a row without an action has no checkbox', async () => {
  const { queryByRole } = await openHosts();
  expect(queryByRole('checkbox', { name: 'Select web3' })).toBeNull();
});

test('a click with Shift selects the rows from the last one, and skips those that have no action', async () => {
  const { user, box, chosen } = await openHosts();
  await user.click(box('Select web2'));
  await user.keyboard('{Shift>}');
  await user.click(box('Select web5'));
  await user.keyboard('{/Shift}');
  expect(chosen()).toBe('web2 web4 web5');
});

test('Ctrl-A selects the rows of all pages, and Escape none', async () => {
  const { user, focus, chosen, getByText } = await openHosts();
  focus('web1');
  await user.keyboard('{Control>}a{/Control}');
  getByText('29 selected');
  await user.keyboard('{Escape}');
  expect(chosen()).toBeNull();
});

test('Ctrl-A outside of the list, and in its search, selects nothing', async () => {
  const { user, chosen, getByRole } = await openHosts();
  await user.keyboard('{Control>}a{/Control}');
  expect(chosen()).toBeNull();
  await user.click(getByRole('searchbox'));
  await user.keyboard('{Control>}a{/Control}');
  expect(chosen()).toBeNull();
});

test('what the search hides is not selected until it is shown again', async () => {
  const { user, focus, chosen, fill, getByRole } = await openHosts();
  focus('web1');
  await user.keyboard('{Control>}a{/Control}');
  await fill('Search', 'web2');
  expect(chosen()).toBe('web2 web20 web21 web22 web23 web24 web25 web26 web27 web28 web29');
  await user.click(getByRole('checkbox', { name: 'Select all 11' }));
  expect(chosen()).toBeNull();
});

test('Ctrl-A in a filtered list selects only what matches', async () => {
  const { user, focus, chosen, fill } = await openHosts();
  await fill('Search', 'web30');
  focus('web30');
  await user.keyboard('{Control>}a{/Control}');
  expect(chosen()).toBe('web30');
  await fill('Search', 'web');
  expect(chosen()).toBe('web30');
});

test('the arrows move from checkbox to checkbox', async () => {
  const { user, box } = await openHosts();
  box('Select web2').focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(box('Select web4'));
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(document.activeElement).toBe(box('Select web1'));
});

test('the selected rows stay selected when the list is sorted in another order', async () => {
  const { user, box, chosen, press } = await openHosts(8);
  await user.click(box('Select web2'));
  await user.click(box('Select web5'));
  await press('Name');
  expect([box('Select web2').checked, box('Select web7').checked]).toEqual([true, false]);
  expect(chosen()).toBe('web5 web2');
});

test('a removed row is no longer selected, and an action may keep some', async () => {
  const { user, box, chosen, press } = await openHosts();
  for (const name of ['web1', 'web2', 'web4']) await user.click(box(`Select ${name}`));
  await press('Remove web1');
  expect(chosen()).toBe('web2 web4');
  await press('Keep the first');
  expect(chosen()).toBe('web2');
});
