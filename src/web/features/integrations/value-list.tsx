import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { lazy } from 'react';
import { type ExtractValue, extractValues } from '#shared/api/matchers.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { integrationQueries, type IntegrationRef } from './integrations.queries.ts';
import { RuleList } from './rule-list.tsx';

const ValueDialog = lazy(async () => ({
  default: (await import('./value-dialog.tsx')).ValueDialog,
}));

interface Props {
  place: IntegrationRef;
  mayManage: boolean;
  address: EditAddress;
}

/** The values that are taken from a request and passed to the task. */
export function ValueList({ place, mayManage, address }: Props) {
  const { t } = useTranslation();
  const { edit, onEdit } = address;
  const { projectId, integrationId } = place;
  const { data, error, refetch } = useQuery(integrationQueries.values(place));
  const { thing, ask, dialog } = useDelete<ExtractValue>({
    projectId,
    remove: extractValues.remove,
    refresh: [extractValues.list],
    params: ({ id }) => ({ project_id: projectId, integration_id: integrationId, value_id: id }),
    onDeleted: ({ name }) => toast(t('extract_value.deleted', { name })),
    onFailed: toastError,
  });
  return (
    <RuleList
      title={t('extract_value.list')}
      text={t('extract_value.text')}
      add={t('extract_value.new')}
      none={t('extract_value.none')}
      rules={data}
      failure={error}
      onRetry={() => void refetch()}
      columns={columns(t)}
      param="value"
      mayManage={mayManage}
      onEdit={onEdit}
      onDelete={ask}
    >
      <OnceOpened opened={edit !== null}>
        <ValueDialog place={place} edit={edit} onClose={() => onEdit(null)} />
      </OnceOpened>
      <ConfirmDialog
        opened={dialog.opened}
        onClose={dialog.onClose}
        title={t('extract_value.delete')}
        text={t('extract_value.delete_text', { name: thing?.name ?? '' })}
        action={t('common.delete')}
        busy={dialog.busy}
        onConfirm={dialog.onConfirm}
      />
    </RuleList>
  );
}

const columns = (t: TFunction): Column<ExtractValue>[] => [
  {
    key: 'source',
    title: t('extract_value.source'),
    from: 'medium',
    cell: ({ value_source }) => t(`rule.source.${value_source}`),
  },
  {
    key: 'type',
    title: t('extract_value.body_type'),
    from: 'medium',
    cell: ({ body_data_type: type }) => (type === '' ? '—' : t(`rule.body_type.${type}`)),
  },
  { key: 'key', title: t('rule.key'), cell: ({ key }) => <code title={key}>{key}</code> },
  {
    key: 'variable',
    title: t('extract_value.variable'),
    from: 'small',
    cell: ({ variable, variable_type: type }) =>
      type === 'task' ? t('extract_value.targets.task') : <code title={variable}>{variable}</code>,
  },
];
