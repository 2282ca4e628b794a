import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { lazy } from 'react';
import { type Matcher, matchers } from '#shared/api/matchers.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { integrationQueries, type IntegrationRef } from './integrations.queries.ts';
import { RuleList } from './rule-list.tsx';

const MatcherDialog = lazy(async () => ({
  default: (await import('./matcher-dialog.tsx')).MatcherDialog,
}));

interface Props {
  place: IntegrationRef;
  mayManage: boolean;
  address: EditAddress;
}

/** The matchers, which decide which requests launch the template. */
export function MatcherList({ place, mayManage, address }: Props) {
  const { t } = useTranslation();
  const { edit, onEdit } = address;
  const { projectId, integrationId } = place;
  const { data, error, refetch } = useQuery(integrationQueries.matchers(place));
  const { thing, ask, dialog } = useDelete<Matcher>({
    projectId,
    remove: matchers.remove,
    refresh: [matchers.list],
    params: ({ id }) => ({ project_id: projectId, integration_id: integrationId, matcher_id: id }),
    onDeleted: ({ name }) => toast(t('matcher.deleted', { name })),
    onFailed: toastError,
  });
  // Without any matcher every request launches, which is easily overlooked.
  const text = data?.length === 1 ? 'matcher.delete_last_text' : 'matcher.delete_text';
  return (
    <RuleList
      title={t('matcher.list')}
      text={t('matcher.text')}
      add={t('matcher.new')}
      none={t('matcher.none')}
      rules={data}
      failure={error}
      onRetry={() => void refetch()}
      columns={columns(t)}
      param="matcher"
      mayManage={mayManage}
      onEdit={onEdit}
      onDelete={ask}
    >
      <OnceOpened opened={edit !== null}>
        <MatcherDialog place={place} edit={edit} onClose={() => onEdit(null)} />
      </OnceOpened>
      <ConfirmDialog
        opened={dialog.opened}
        onClose={dialog.onClose}
        title={t('matcher.delete')}
        text={t(text, { name: thing?.name ?? '' })}
        action={t('common.delete')}
        busy={dialog.busy}
        onConfirm={dialog.onConfirm}
      />
    </RuleList>
  );
}

const columns = (t: TFunction): Column<Matcher>[] => [
  {
    key: 'source',
    title: t('matcher.source'),
    from: 'medium',
    cell: ({ match_type }) => t(`rule.source.${match_type}`),
  },
  {
    key: 'type',
    title: t('matcher.body_format'),
    from: 'large',
    cell: ({ body_data_type: type }) => (type === '' ? '—' : t(`rule.body_type.${type}`)),
  },
  { key: 'key', title: t('rule.key'), cell: ({ key }) => <code title={key}>{key}</code> },
  {
    key: 'method',
    title: t('matcher.method.label'),
    from: 'small',
    cell: ({ method }) => t(`matcher.method.${method}`),
  },
  {
    key: 'value',
    title: t('matcher.value'),
    from: 'small',
    cell: ({ value }) => <code title={value}>{value}</code>,
  },
];
