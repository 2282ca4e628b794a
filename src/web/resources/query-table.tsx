import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { QueryFailure } from './query-failure.tsx';
import { DataTable } from '../ui/lists/data-table.tsx';

type TableProps<Row> = ComponentProps<typeof DataTable<Row>>;

interface Props<Row> extends Omit<TableProps<Row>, 'rows' | 'rowKey'> {
  result: Pick<UseQueryResult<Row[]>, 'data' | 'error' | 'refetch'>;
  /** The content of an empty list. */
  empty: ReactNode;
  /** The content around the table; not shown for an empty list. */
  children?: ReactNode;
}

/** A table of the rows of a query, or its failure. */
export function QueryTable<Row extends { id: number | string }>(props: Props<Row>) {
  const { result, empty, children, ...table } = props;
  const { data, error, refetch } = result;
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (data?.length === 0) return empty;
  return (
    <>
      {children}
      <DataTable {...table} rows={data} rowKey={({ id }) => id} />
    </>
  );
}
