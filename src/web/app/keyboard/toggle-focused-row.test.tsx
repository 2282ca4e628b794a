// The shortcut x, which selects the focused row of a list.

import { useEffect } from 'react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../../test/components/render.tsx';
import { useListAddress } from '../../../../test/components/use-list-address.ts';
import { listen, switchShortcuts } from '../../lib/shortcuts.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { List } from '../../ui/lists/list.tsx';
import { toggleFocusedRow } from './toggle-focused-row.ts';

const hosts = Array.from({ length: 30 }, (_, index) => ({
  id: index + 1,
  name: `web${index + 1}`,
}));

const column: Column<(typeof hosts)[number]> = {
  key: 'name',
  title: 'Name',
  sortBy: ({ name }) => name,
  cell: ({ name }) => <a href={`#${name}`}>{name}</a>,
};

function Hosts() {
  useEffect(
    () =>
      listen(
        { x: () => toggleFocusedRow(false), X: () => toggleFocusedRow(true) },
        () => undefined,
      ),
    [],
  );
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
      selection={{
        isSelectable: ({ name }) => name !== 'web5',
        nameOf: ({ name }) => name,
        renderBar: ({ selected }) => (
          <output aria-label={'Chosen'}>{selected.map(({ name }) => name).join(' ')}</output>
        ),
      }}
    />
  );
}

async function openHosts() {
  const view = await renderAt(<Hosts />);
  await view.findByRole('link', { name: 'web1' });
  return {
    ...view,
    focus: (name: string) => view.getByRole('link', { name }).focus(),
    chosen: () => view.queryByRole('status', { name: 'Chosen' })?.textContent ?? null,
  };
}

test('x selects the focused row, and X the rows from there to the focused one', async () => {
  const { user, focus, chosen } = await openHosts();
  focus('web6');
  await user.keyboard('x');
  expect(chosen()).toBe('web6');
  focus('web4');
  await user.keyboard('{Shift>}X{/Shift}');
  expect(chosen()).toBe('web4 web6');
  await user.keyboard('x');
  expect(chosen()).toBe('web6');
});

test('x works while a checkbox has the focus', async () => {
  const { user, getByRole, chosen } = await openHosts();
  getByRole('checkbox', { name: 'Select web2' }).focus();
  await user.keyboard('x');
  expect(chosen()).toBe('web2');
});

test('x is text in the search, and does nothing outside of rows or while shortcuts are off', async () => {
  const { user, focus, getByRole, chosen } = await openHosts();
  await user.keyboard('x');
  expect(chosen()).toBeNull();
  const search = getByRole('searchbox') as HTMLInputElement;
  await user.type(search, 'x');
  expect([search.value, chosen()]).toEqual(['x', null]);
  await user.clear(search);
  switchShortcuts(false);
  focus('web2');
  await user.keyboard('x');
  switchShortcuts(true);
  expect(chosen()).toBeNull();
});
