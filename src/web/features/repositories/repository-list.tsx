import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconGitBranch } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy, type ReactNode } from 'react';
import { repositories, type Repository } from '#shared/api/repositories.ts';
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
import { keyQueries } from '../keys/keys.queries.ts';
import classes from './repository-list.module.css';
import { repositoryQueries } from './repositories.queries.ts';
import { urlType } from './url-type.ts';

const RepositoryDialog = lazy(async () => ({
  default: (await import('./repository-dialog.tsx')).RepositoryDialog,
}));

interface Props {
  projectId: number;
  mayManage: boolean;
  address: ListAddress & EditAddress;
  /** Beside the button that adds one. */
  moreActions: ReactNode;
}

export function RepositoryList({ projectId, mayManage, address, moreActions }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(repositoryQueries.list(projectId));
  const { data: keys } = useQuery(keyQueries.list(projectId));
  const keyNames = new Map(keys?.map(({ id, name }) => [id, name]));
  const deletion = useDelete<Repository>({
    projectId,
    refs: repositories.refs,
    remove: repositories.remove,
    refresh: [repositories.list],
    params: ({ id }) => ({ project_id: projectId, repository_id: id }),
    onDeleted: ({ name }) => toast(t('repository.deleted', { name })),
    onFailed: toastError,
  });
  const { edit, onEdit } = address;
  const edited = mayManage ? edit : null;
  const add = mayManage && (
    <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={() => onEdit('new')}>
      {t('repository.new')}
    </Button>
  );
  const columns = columnsOf({ t, mayManage, keyName: (id) => keyNames.get(id) ?? '' });
  return (
    <Page
      title={t('repository.list')}
      actions={
        <>
          {moreActions}
          {add}
        </>
      }
    >
      <List
        label={t('repository.list')}
        rows={data}
        rowKey={({ id }) => id}
        columns={[
          ...columns,
          ...(mayManage ? [editColumn({ onEdit, onDelete: deletion.ask })] : []),
        ]}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={({ name, git_url: url, git_branch: branch }) => `${name} ${url} ${branch}`}
        address={address}
        empty={
          <EmptyState
            icon={<IconGitBranch size={24} />}
            title={t('repository.none.title')}
            text={mayManage ? t('repository.none.text') : t('repository.none.text_read_only')}
          >
            {add}
          </EmptyState>
        }
      />
      <OnceOpened opened={edited !== null}>
        <RepositoryDialog projectId={projectId} edit={edited} onClose={() => onEdit(null)} />
      </OnceOpened>
      <DeleteDialog
        {...deletion.dialog}
        title={t('repository.delete')}
        text={t('repository.delete_text', { name: deletion.thing?.name ?? '' })}
        refusal={t('references.refused', { object: t('repository.object') })}
      />
    </Page>
  );
}

interface Cells {
  t: TFunction;
  mayManage: boolean;
  keyName: (id: number) => string;
}

function columnsOf({ t, mayManage, keyName }: Cells): Column<Repository>[] {
  return [
    {
      key: 'name',
      title: t('common.name'),
      wide: true,
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (mayManage ? <EditLink id={id}>{name}</EditLink> : name),
    },
    {
      key: 'url',
      title: t('repository.url'),
      wide: true,
      from: 'small',
      sortBy: ({ git_url: url }) => url,
      cell: (repository) => <Place {...repository} />,
    },
    {
      key: 'key',
      title: t('repository.ssh_key'),
      from: 'medium',
      cell: ({ ssh_key_id: id }) => keyName(id),
    },
  ];
}

function Place({ git_url: url, git_branch: branch }: Repository) {
  return (
    <span className={classes.place} title={url}>
      <span className="mono">{url}</span>
      {urlType(url) !== 'local' && (
        <span className={classes.branch}>
          <IconGitBranch size={14} aria-hidden="true" />
          {branch}
        </span>
      )}
    </span>
  );
}
