import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconBraces } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy } from 'react';
import { environments, type Environment } from '#shared/api/environments.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import type { Column } from '../../ui/data-table.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import type { EditAddress } from '../../ui/edit-dialog.tsx';
import { EditLink } from '../../ui/edit-link.tsx';
import { editColumn } from '../../ui/edit-column.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { List, type ListAddress } from '../../ui/list.tsx';
import { OnceOpened } from '../../ui/once-opened.tsx';
import { Page } from '../../ui/page.tsx';
import { toast, toastError } from '../../ui/toast.ts';
import { environmentQueries } from './environments.queries.ts';
import { variablesOf } from './variables.ts';

const EnvironmentDialog = lazy(async () => ({
  default: (await import('./environment-dialog.tsx')).EnvironmentDialog,
}));

interface Props {
  projectId: number;
  mayManage: boolean;
  /** Guests are not told what is in an environment. */
  maySee: boolean;
  address: ListAddress & EditAddress;
}

export function EnvironmentList({ projectId, mayManage, maySee, address }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(environmentQueries.list(projectId));
  const deletion = useDelete<Environment>({
    projectId,
    refs: environments.refs,
    remove: environments.remove,
    refresh: [environments.list],
    params: ({ id }) => ({ project_id: projectId, environment_id: id }),
    onDeleted: ({ name }) => toast(t('environment.deleted', { name })),
    onFailed: toastError,
  });
  const { edit, onEdit } = address;
  const edited = mayManage ? edit : null;
  const add = mayManage && (
    <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={() => onEdit('new')}>
      {t('environment.new')}
    </Button>
  );
  const columns = columnsOf({ t, mayManage, maySee });
  return (
    <Page title={t('environment.list')} actions={add}>
      <List
        label={t('environment.list')}
        rows={data}
        rowKey={({ id }) => id}
        columns={[
          ...columns,
          ...(mayManage ? [editColumn({ onEdit, onDelete: deletion.ask })] : []),
        ]}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={({ name }) => name}
        address={address}
        empty={
          <EmptyState
            icon={<IconBraces size={24} />}
            title={t('environment.none.title')}
            text={mayManage ? t('environment.none.text') : t('environment.none.text_read_only')}
          >
            {add}
          </EmptyState>
        }
      />
      <OnceOpened opened={edited !== null}>
        <EnvironmentDialog projectId={projectId} edit={edited} onClose={() => onEdit(null)} />
      </OnceOpened>
      <DeleteDialog
        {...deletion.dialog}
        title={t('environment.delete')}
        text={t('environment.delete_text', { name: deletion.thing?.name ?? '' })}
        refusal={t('references.refused', { object: t('environment.object') })}
      />
    </Page>
  );
}

interface Cells {
  t: TFunction;
  mayManage: boolean;
  maySee: boolean;
}

function columnsOf({ t, mayManage, maySee }: Cells): Column<Environment>[] {
  return [
    {
      key: 'name',
      title: t('common.name'),
      wide: true,
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (mayManage ? <EditLink id={id}>{name}</EditLink> : name),
    },
    {
      key: 'variables',
      title: t('environment.extra_variables'),
      from: 'small',
      align: 'end',
      cell: ({ json }) => <Count text={json} isShown={maySee} />,
    },
    {
      key: 'process',
      title: t('environment.process_variables'),
      from: 'small',
      align: 'end',
      cell: ({ env }) => <Count text={env} isShown={maySee} />,
    },
  ];
}

function Count({ text, isShown }: { text: string; isShown: boolean }) {
  return <span className="numbers">{isShown ? (variablesOf(text)?.length ?? '—') : '—'}</span>;
}
