import { Button } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { t } from '../lib/i18n.ts';
import { type Column, DataTable } from '../ui/lists/data-table.tsx';
import { editColumn, EditLink } from '../ui/lists/row-actions.tsx';
import { Section } from '../ui/page/section.tsx';
import { QueryFailure } from './query-failure.tsx';
import type { Endpoints } from './resource.ts';
import { type RowDialogs, useRowDialogs } from './use-deletion.tsx';
import { column } from './columns.ts';

interface Props<E extends Endpoints, Row, Scope> extends RowDialogs<E, Row, Scope> {
  query: UseQueryOptions<Row[]>;
  mayManage: boolean;
  /** The search parameter of the address that names the edited row. */
  param: string;
  /** The columns between the name and the buttons. */
  columns: Column<Row>[];
  /** The consequences of a deletion, if the words of the resource do not have them. */
  deleteText?: (row: Row, count: number) => string;
}

/** The list of a resource on the page of another resource, with its dialogs. */
export function ResourceSection<
  E extends Endpoints,
  Row extends { id: number },
  Scope extends object,
>(props: Props<E, Row, Scope>) {
  const { resource, mayManage, param, deleteText } = props;
  const noun = resource.noun as 'extract_value' | 'matcher';
  const { nameOf } = resource;
  const { onEdit } = props.address;
  const { data, error, refetch } = useQuery(props.query);
  const { ask, dialogs } = useRowDialogs(props, {
    renderText: deleteText && ((row) => deleteText(row, data?.length ?? 0)),
  });
  const name: Column<Row> = column('name', t('common.name'), { wide: true }, (row) =>
    mayManage ? (
      <EditLink id={row.id} param={param}>
        {nameOf(row)}
      </EditLink>
    ) : (
      <span title={nameOf(row)}>{nameOf(row)}</span>
    ),
  );
  const actions = editColumn<Row>({ nameOf, onEdit, onDelete: ask });
  const add = (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => onEdit('new')}>
      {t(`${noun}.new`)}
    </Button>
  );
  return (
    <Section title={t(`${noun}.list`)} text={t(`${noun}.text`)} actions={mayManage && add}>
      {error && !data ? (
        <QueryFailure error={error} refetch={refetch} />
      ) : data?.length === 0 ? (
        <p>{t(`${noun}.none`)}</p>
      ) : (
        <DataTable
          label={t(`${noun}.list`)}
          columns={[name, ...props.columns, ...(mayManage ? [actions] : [])]}
          rows={data}
          rowKey={({ id }) => id}
          expectedRows={2}
        />
      )}
      {dialogs}
    </Section>
  );
}
