import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import type { Column } from './data-table.tsx';
import { EmptyState } from '../page/empty-state.tsx';
import { Failure } from '../feedback/failure.tsx';
import classes from './list.module.css';
import { Pager } from './pager.tsx';
import { sorted } from './sort.ts';
import { SelectableTable } from './selectable-table.tsx';
import { pageIn, pageSizeOf } from './use-pages.tsx';
import type { ListSelection } from './use-selection.ts';

/** The number of rows from which a list has a search box. */
const searchFrom = 20;

/** The state of a list in the address of its screen. */
export interface ListAddress {
  search: string;
  onSearch: (text: string) => void;
  /** See sort.ts; empty for the order of names. */
  sort: string;
  onSort: (sort: string) => void;
  /** The page number, from 1. */
  page: number;
  onPage: (page: number) => void;
}

/** A filter above a list. */
export interface ListFilter<Row> {
  control: ReactNode;
  keeps: (row: Row) => boolean;
  isSet: boolean;
  onClear: () => void;
}

interface Props<Row> {
  label: string;
  rows: Row[] | undefined;
  rowKey: (row: Row) => number | string;
  columns: Column<Row>[];
  failure: string | null;
  onRetry: () => void;
  /** The content of an empty list. */
  empty: ReactNode;
  /** The text to search in. */
  textOf: (row: Row) => string;
  address: ListAddress;
  renderBelow?: (row: Row) => ReactNode;
  filter?: ListFilter<Row>;
  /** By default all rows of lists up to a hundred. */
  pageSize?: number;
  selection?: ListSelection<Row>;
}

/**
 * A list on a screen: its skeleton, failure, empty state, search, filter and pages of sorted rows.
 */
export function List<Row>(props: Props<Row>) {
  const { rows, columns, failure, onRetry, empty, address } = props;
  if (failure !== null && !rows) return <Failure message={failure} onRetry={onRetry} />;
  if (rows?.length === 0) return empty;
  const sort = address.sort || orderOfNames(columns);
  const found = rows && sorted(foundIn(rows, props), columns, sort);
  return (
    <>
      {rows && <SearchBar {...props} rows={rows} />}
      <FoundRows {...props} found={found} sort={sort} />
    </>
  );
}

interface FoundProps<Row> extends Props<Row> {
  /** The rows that match search and filter, in their order. */
  found: Row[] | undefined;
  sort: string;
}

function FoundRows<Row>({ found, sort, ...props }: FoundProps<Row>) {
  const { label, rowKey, columns, address, filter, renderBelow, selection } = props;
  const total = found?.length ?? 0;
  const { pageSize = pageSizeOf(total) } = props;
  const page = pageIn(total, address.page, pageSize);
  return (
    <SelectableTable
      label={label}
      columns={columns}
      all={found}
      rows={found?.slice((page - 1) * pageSize, page * pageSize)}
      rowKey={rowKey}
      selection={selection}
      nothing={<NothingFound address={address} filter={filter} />}
      sort={sort}
      onSort={(next) => address.onSort(next === orderOfNames(columns) ? '' : next)}
      {...(renderBelow ? { renderBelow } : {})}
    >
      <Pager page={page} pageSize={pageSize} total={total} onPage={address.onPage} />
    </SelectableTable>
  );
}

function foundIn<Row>(rows: Row[], { address, filter, textOf }: Props<Row>): Row[] {
  const kept = filter?.isSet ? rows.filter(filter.keeps) : rows;
  return matching(kept, address.search, textOf);
}

function SearchBar<Row>({ label, rows, address, filter }: Props<Row> & { rows: Row[] }) {
  const { search, onSearch } = address;
  if (rows.length <= searchFrom && search === '' && !filter?.isSet) return null;
  return (
    <search className={`flex wrap gap-8 ${classes.search}`} aria-label={label}>
      <TextInput
        type="search"
        data-search
        aria-label={t('list.search')}
        placeholder={t('list.search')}
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      {filter?.control}
    </search>
  );
}

interface NothingProps<Row> {
  address: ListAddress;
  filter: ListFilter<Row> | undefined;
}

function NothingFound<Row>({ address, filter }: NothingProps<Row>) {
  const { search, onSearch } = address;
  const title = search === '' ? t('filter.nothing') : t('list.not_found', { search });
  return (
    <EmptyState icon={<IconSearch size={24} />} title={title}>
      {search !== '' && (
        <Button variant="default" onClick={() => onSearch('')}>
          {t('list.clear_search')}
        </Button>
      )}
      {filter?.isSet && (
        <Button variant="default" onClick={filter.onClear}>
          {t('filter.clear')}
        </Button>
      )}
    </EmptyState>
  );
}

/** Lists with names are sorted by name in natural order: "web2" before "web10". */
const orderOfNames = <Row,>(columns: Column<Row>[]): string =>
  columns.some(({ key, sortBy }) => key === 'name' && sortBy) ? 'name' : '';

function matching<Row>(rows: Row[], search: string, textOf: (row: Row) => string): Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
