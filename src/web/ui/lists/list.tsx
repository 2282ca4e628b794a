import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { type Column, DataTable } from './data-table.tsx';
import { EmptyState } from '../page/empty-state.tsx';
import { Failure } from '../feedback/failure.tsx';
import classes from './list.module.css';
import { Pager } from './pager.tsx';
import { sorted } from './sort.ts';

/** The number of rows from which a list has a search box. */
const searchFrom = 20;

/** The state of a list that stands in the address of its screen. */
export interface ListAddress {
  search: string;
  onSearch: (text: string) => void;
  /** A column, with a dash before it for the other direction; empty for the server's order. */
  sort: string;
  onSort: (sort: string) => void;
}

interface Props<Row> {
  label: string;
  rows: Row[] | undefined;
  rowKey: (row: Row) => number | string;
  columns: Column<Row>[];
  /** Why there are no rows, in words. */
  failure: string | null;
  onRetry: () => void;
  /** What stands in place of a list without rows. */
  empty: ReactNode;
  /** The text of a row that the search looks through. */
  textOf: (row: Row) => string;
  address: ListAddress;
  renderBelow?: (row: Row) => ReactNode;
  /** The page that is shown, for lists with pages. */
  pages?: PageAddress;
}

/** A list on a screen, with its skeleton, failure, empty state, search and sorted rows. */
export function List<Row>(props: Props<Row>) {
  const { label, rows, rowKey, columns, failure, onRetry, empty, textOf, address } = props;
  const { search, onSearch, sort, onSort } = address;
  const { pages } = props;
  const { t } = useTranslation();
  if (failure !== null && !rows) return <Failure message={failure} onRetry={onRetry} />;
  if (rows?.length === 0) return empty;
  const found = rows && sorted(matching(rows, search, textOf), columns, sort);
  return (
    <>
      {rows && (rows.length > searchFrom || search !== '') && (
        <TextInput
          className={classes.search}
          type="search"
          data-search
          aria-label={t('list.search')}
          placeholder={t('list.search')}
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      )}
      {found?.length === 0 ? (
        <EmptyState icon={<IconSearch size={24} />} title={t('list.not_found', { search })}>
          <Button variant="default" onClick={() => onSearch('')}>
            {t('list.clear_search')}
          </Button>
        </EmptyState>
      ) : (
        <DataTable
          label={label}
          columns={columns}
          rows={found && pageOf(found, pages)}
          rowKey={rowKey}
          sort={sort}
          onSort={onSort}
          {...(props.renderBelow ? { renderBelow: props.renderBelow } : {})}
        />
      )}
      <Pages rows={found} pages={pages} />
    </>
  );
}

type PageAddress = { size: number; page: number; onPage: (page: number) => void };

/** The page to show: the last one, when the page in the address no longer exists. */
const pageIn = ({ length }: unknown[], { size, page }: PageAddress): number =>
  Math.max(1, Math.min(page, Math.ceil(length / size)));

function pageOf<Row>(rows: Row[], pages: PageAddress | undefined): Row[] {
  if (!pages) return rows;
  const end = pageIn(rows, pages) * pages.size;
  return rows.slice(end - pages.size, end);
}

interface PagesProps {
  rows: unknown[] | undefined;
  pages: PageAddress | undefined;
}

function Pages({ rows, pages }: PagesProps) {
  if (!rows || !pages) return null;
  const { size, onPage } = pages;
  return <Pager page={pageIn(rows, pages)} pageSize={size} total={rows.length} onPage={onPage} />;
}

/** The rows whose text holds every word of the search. */
function matching<Row>(rows: Row[], search: string, textOf: (row: Row) => string): Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
