import { Button } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { QueryFailure } from './query-failure.tsx';
import { t } from '../lib/i18n.ts';
import { OnceOpened } from '../ui/dialogs/once-opened.tsx';
import type { EditAddress } from '../ui/forms/edit-dialog.tsx';
import { type Column, DataTable } from '../ui/lists/data-table.tsx';
import { editColumn, EditLink } from '../ui/lists/row-actions.tsx';
import { Section } from '../ui/page/section.tsx';
import type { ResourceDialog } from './resource-dialog.tsx';
import type { Endpoints, Resource } from './resource.ts';
import { useDeletion } from './use-deletion.tsx';

interface Props<E extends Endpoints, Row, Scope> {
  resource: Resource<E, Row, Scope>;
  scope: Scope;
  query: UseQueryOptions<Row[]>;
  Dialog: ResourceDialog<Scope>;
  mayManage: boolean;
  address: EditAddress;
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
  const { resource, scope, mayManage, deleteText, Dialog } = props;
  const noun = resource.noun as 'extract_value' | 'matcher';
  const { nameOf } = resource;
  const { edit, onEdit } = props.address;
  const { data, error, refetch } = useQuery(props.query);
  const deletion = useDeletion(resource, scope, {
    renderText: deleteText && ((row) => deleteText(row, data?.length ?? 0)),
  });
  const actions = editColumn<Row>({ nameOf, onEdit, onDelete: deletion.ask });
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
          columns={[nameColumn(props), ...props.columns, ...(mayManage ? [actions] : [])]}
          rows={data}
          rowKey={({ id }) => id}
          expectedRows={2}
        />
      )}
      <OnceOpened opened={edit !== null}>
        <Dialog {...scope} edit={edit} onClose={() => onEdit(null)} />
      </OnceOpened>
      {deletion.dialog}
    </Section>
  );
}

function nameColumn<E extends Endpoints, Row extends { id: number }, Scope>({
  resource: { nameOf },
  mayManage,
  param,
}: Props<E, Row, Scope>): Column<Row> {
  return {
    key: 'name',
    title: t('common.name'),
    wide: true,
    cell: (row) =>
      mayManage ? (
        <EditLink id={row.id} param={param}>
          {nameOf(row)}
        </EditLink>
      ) : (
        <span title={nameOf(row)}>{nameOf(row)}</span>
      ),
  };
}
