// "Select all" in a list that is read page by page.

import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { renderAt } from '../../../../test/components/render.tsx';
import type { Column } from './data-table.tsx';
import { SelectableTable } from './selectable-table.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { MatchingRows } from './use-matching-rows.ts';

interface Host {
  id: number;
  name: string;
}

const rowsUpTo = (count: number): Host[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `web${index + 1}` }));

const column: Column<Host> = {
  key: 'name',
  title: 'Name',
  cell: ({ name }) => <a href={`#${name}`}>{name}</a>,
};

function Hosts({ matching: given }: { matching: MatchingRows<Host> }) {
  const [key, setKey] = useState('');
  const matching = { ...given, key };
  const page = rowsUpTo(3);
  return (
    <>
      <button type="button" onClick={() => setKey('other')}>
        {'Filter'}
      </button>
      <SelectableTable
        label={'Hosts'}
        columns={[column]}
        all={page}
        rows={page}
        rowKey={({ id }) => id}
        selection={{
          isSelectable: ({ name }) => name !== 'web2',
          nameOf: ({ name }) => name,
          matching,
          renderBar: (selection) => <SelectionBar selection={selection}>{null}</SelectionBar>,
        }}
      />
    </>
  );
}

async function selectAll(matching: MatchingRows<Host>) {
  const view = await renderAt(<Hosts matching={matching} />);
  (await view.findByRole('link', { name: 'web1' })).focus();
  await view.user.keyboard('{Control>}a{/Control}');
  return view;
}

const of = (given: Partial<MatchingRows<Host>>): MatchingRows<Host> => ({
  key: '',
  limit: 5,
  count: null,
  load: () => Promise.resolve({ rows: rowsUpTo(5), hasMore: false }),
  ...given,
});

test('Ctrl-A selects the rows of all pages', async () => {
  const view = await selectAll(of({ count: { count: 5, isWhole: true } }));
  await view.findByText('4 selected');
  expect(view.queryByRole('button', { name: /^Select/v })).toBeNull();
});

test('says that only the first of many are selected', async () => {
  const load = () => Promise.resolve({ rows: rowsUpTo(5), hasMore: true });
  const view = await selectAll(of({ load, count: { count: 20_000, isWhole: false } }));
  await view.findByText('4 selected');
  const note = 'The first 5 of 20,000+; no more can be selected at once.';
  expect(view.getByText(note)).toBeTruthy();
});

test('the button of the bar names what it selects, before the other pages are read', async () => {
  const load = vi.fn<MatchingRows<Host>['load']>().mockResolvedValue(null);
  const matching = of({ load, count: { count: 20_000, isWhole: true } });
  const view = await renderAt(<Hosts matching={matching} />);
  await view.user.click(await view.findByRole('checkbox', { name: 'Select web1' }));
  expect(load).not.toHaveBeenCalled();
  await view.user.click(view.getByRole('button', { name: 'Select the first 5 of 20,000' }));
  expect(load).toHaveBeenCalledOnce();
});

test('another filter forgets the rows of other pages', async () => {
  const view = await selectAll(of({}));
  await view.findByText('4 selected');
  await view.user.click(view.getByRole('button', { name: 'Filter' }));
  expect(await view.findByText('2 selected')).toBeTruthy();
});
