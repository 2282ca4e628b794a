import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconPencil, IconPlus, IconTrash, IconWebhook } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy, type ReactNode } from 'react';
import { type Integration, integrations } from '#shared/api/integrations.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { DeleteDialog } from '../../ui/dialogs/delete-dialog.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { List, type ListAddress } from '../../ui/lists/list.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Page } from '../../ui/page/page.tsx';
import { RowActions } from '../../ui/lists/row-actions.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { ProjectAliases } from './alias-list.tsx';
import { methodWords } from './integration-words.ts';
import { integrationQueries } from './integrations.queries.ts';
import { TargetLink, useTargetName } from './target-link.tsx';

const IntegrationDialog = lazy(async () => ({
  default: (await import('./integration-dialog.tsx')).IntegrationDialog,
}));

interface Props {
  projectId: number;
  mayManage: boolean;
  address: ListAddress & EditAddress;
}

export function useIntegrationDelete(projectId: number, onDeleted: () => void = () => {}) {
  const { t } = useTranslation();
  const deletion = useDelete<Integration>({
    projectId,
    refs: integrations.refs,
    remove: integrations.remove,
    refresh: [integrations.list],
    params: ({ id }) => ({ project_id: projectId, integration_id: id }),
    onDeleted: ({ name }) => {
      toast(t('integration.deleted', { name }));
      onDeleted();
    },
    onFailed: toastError,
  });
  const dialog = (
    <DeleteDialog
      {...deletion.dialog}
      title={t('integration.delete')}
      text={t('integration.delete_text', { name: deletion.thing?.name ?? '' })}
      refusal={t('references.refused', { object: t('integration.object') })}
    />
  );
  return { ask: deletion.ask, dialog };
}

export function IntegrationList({ projectId, mayManage, address }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(integrationQueries.list(projectId));
  const deletion = useIntegrationDelete(projectId);
  const { edit, onEdit } = address;
  const targetOf = useTargetName(projectId);
  const add = mayManage && (
    <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={() => onEdit('new')}>
      {t('integration.new')}
    </Button>
  );
  const list = (
    <List
      label={t('integration.list')}
      rows={data}
      rowKey={({ id }) => id}
      columns={columns({ t, mayManage, targetOf, onEdit, onDelete: deletion.ask })}
      failure={error && errorWords(error)}
      onRetry={() => void refetch()}
      textOf={(integration) => `${integration.name} ${targetOf(integration)}`}
      address={address}
      empty={<NoIntegrations mayManage={mayManage}>{add}</NoIntegrations>}
    />
  );
  return (
    <Page title={t('integration.list')} actions={add}>
      {list}
      {mayManage && (
        <div style={{ maxWidth: 860, paddingTop: 24 }}>
          <ProjectAliases projectId={projectId} />
        </div>
      )}
      <OnceOpened opened={edit !== null}>
        <IntegrationDialog projectId={projectId} edit={edit} onClose={() => onEdit(null)} />
      </OnceOpened>
      {deletion.dialog}
    </Page>
  );
}

function NoIntegrations({ mayManage, children }: { mayManage: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<IconWebhook size={24} />}
      title={t('integration.none.title')}
      text={mayManage ? t('integration.none.text') : t('integration.none.text_read_only')}
    >
      {children}
    </EmptyState>
  );
}

interface Cells {
  t: TFunction;
  mayManage: boolean;
  targetOf: (integration: Integration) => string;
  onEdit: (id: number) => void;
  onDelete: (integration: Integration) => void;
}

function columns({ t, mayManage, targetOf, onEdit, onDelete }: Cells): Column<Integration>[] {
  const actions: Column<Integration> = {
    key: 'actions',
    title: '',
    hiddenTitle: t('common.actions'),
    align: 'end',
    cell: (integration) => (
      <RowActions>
        <IconButton
          label={t('common.edit_label', { name: integration.name })}
          hint={t('common.edit')}
          icon={<IconPencil size={16} />}
          onClick={() => onEdit(integration.id)}
        />
        <IconButton
          label={t('common.delete_label', { name: integration.name })}
          hint={t('common.delete')}
          icon={<IconTrash size={16} />}
          onClick={() => onDelete(integration)}
        />
      </RowActions>
    ),
  };
  return [
    {
      key: 'name',
      title: t('common.name'),
      wide: true,
      sortBy: ({ name }) => name,
      cell: ({ id, project_id, name }) => (
        <Link
          to="/project/$projectId/integration/$integrationId"
          params={{ projectId: project_id, integrationId: id }}
          className="weight-550 color-text"
          title={name}
        >
          {name}
        </Link>
      ),
    },
    {
      key: 'starts',
      title: t('starts.label'),
      sortBy: targetOf,
      cell: (integration) => <TargetLink integration={integration} name={targetOf(integration)} />,
    },
    {
      key: 'auth',
      title: t('integration.auth.label'),
      from: 'small',
      sortBy: ({ auth_method }) => t(`integration.auth.${methodWords(auth_method)}`),
      cell: ({ auth_method }) => t(`integration.auth.${methodWords(auth_method)}`),
    },
    ...(mayManage ? [actions] : []),
  ];
}
