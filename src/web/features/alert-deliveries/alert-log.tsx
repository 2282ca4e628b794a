import { useMutation, useQuery } from '@tanstack/react-query';
import {
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconMailOff,
  IconRepeat,
} from '@tabler/icons-react';
import { type DeliveryStatus, deliveryStatuses } from '#shared/alerts.ts';
import type { AlertDelivery } from '#shared/api/alert-deliveries.ts';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { t } from '../../lib/i18n.ts';
import { TimeAgo, TimeAhead } from '../../lib/time-text.tsx';
import { ChoiceFilter } from '../../ui/forms/choice-filter.tsx';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';
import { cursorOf } from '../../ui/lists/cursors.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { actionsColumn, column, type LaunchLinks } from '../../resources/columns.ts';
import { alertDeliveryQueries, retryAlert } from './alert-deliveries.queries.ts';
import classes from './alert-log.module.css';
import { PagedTable, type PageAddress } from '../../resources/paged-table.tsx';

interface Props extends PageAddress, LaunchLinks {
  projectId: number;
  status: DeliveryStatus | undefined;
  onStatus: (status: DeliveryStatus | undefined) => void;
}

/** The alerts of the last months, with the state of their delivery. */
export function AlertLog({ projectId, status, onStatus, trail, onTrail, ...links }: Props) {
  const filter = { status, before: cursorOf(trail) };
  const retry = useMutation(retryAlert());
  const onRetry = ({ id }: AlertDelivery) =>
    retry.mutate(
      { params: { project_id: projectId, alert_delivery_id: id } },
      { onSuccess: () => toast(t('alert.retried')), onError: toastFailure },
    );
  return (
    <PagedTable
      result={useQuery(alertDeliveryQueries.page(projectId, filter))}
      trail={trail}
      onTrail={onTrail}
      label={t('alert.deliveries')}
      columns={columns({ ...links, onRetry })}
      filters={
        <div style={{ maxWidth: 220, padding: '14px 0 6px' }}>
          <ChoiceFilter
            label={t('alert.state')}
            options={deliveryStatuses.map((value) => ({
              value,
              label: t(`alert.status.${value}`),
            }))}
            value={status}
            onChoose={(value) => onStatus(deliveryStatuses.find((one) => one === value))}
          />
        </div>
      }
      nothing={
        <EmptyState
          icon={<IconMailOff size={24} />}
          title={status ? t('alert.none_in_state') : t('alert.no_deliveries')}
          {...(status ? {} : { text: t('alert.no_deliveries_text') })}
        />
      }
    />
  );
}

const looks: ChipStyles<DeliveryStatus> = {
  pending: { tone: 'neutral', icon: <IconClock size={15} /> },
  sent: { tone: 'success', icon: <IconCircleCheck size={15} /> },
  failed: { tone: 'danger', icon: <IconCircleX size={15} /> },
};

interface Cells extends LaunchLinks {
  onRetry: (alert: AlertDelivery) => void;
}

function recipientOf(alert: AlertDelivery): string {
  if (alert.recipient === 'chat') return t('alert.project_chat');
  if (alert.recipient === 'member') return t('alert.member', { name: alert.user_name ?? '—' });
  if (alert.recipient === 'repository') {
    return t('alert.commit_status', { name: alert.repository_name ?? '—' });
  }
  return alert.channel_name ?? t('alert.deleted_channel');
}

function outcomeOf({ error_code: code, answer_status: status }: AlertDelivery) {
  const reason = code === null ? '' : t(`alert_errors.${code}`);
  const answer = status === null ? '' : t('alert.answered', { status });
  return [reason, answer].filter(Boolean).join(' ');
}

const nameOf = ({
  template_name: template,
  workflow_name: workflow,
}: Pick<AlertDelivery, 'template_name' | 'workflow_name'>): string => workflow || template;

function retryWords(alert: AlertDelivery): string {
  const name = recipientOf(alert);
  const { task_id: task, run_id: run } = alert;
  return run === null
    ? t('alert.retry_label', { task, name })
    : t('alert.retry_run_label', { run, name });
}

function columns(cells: Cells): Column<AlertDelivery>[] {
  const { renderTask, renderRun, onRetry } = cells;
  return [
    column('when', t('delivery.when'), { from: 'small' }, ({ created }) => (
      <TimeAgo time={created} />
    )),
    column(
      'about',
      t('task.column.task'),
      { wide: true },
      ({ task_id: id, run_id: runId, event, created, ...alert }) => (
        <span className={`flex gap-6 min-w-0 ${classes.about}`} title={nameOf(alert)}>
          {id !== null && renderTask(id)}
          {runId !== null && renderRun(runId)}
          <span className="cut">{nameOf(alert)}</span>
          <span className="soft">{t(`alert.event_short.${event}`)}</span>
          <span className="block soft narrow-only">
            <TimeAgo time={created} />
          </span>
        </span>
      ),
    ),
    column('recipient', t('alert.recipient'), { from: 'small' }, (alert) => (
      <span title={recipientOf(alert)}>{recipientOf(alert)}</span>
    )),
    column('status', t('alert.state'), {}, ({ status }) => (
      <StateChip state={status} looks={looks} words={(known) => t(`alert.status.${known}`)} />
    )),
    column('answer', t('alert.answer'), { wide: true, from: 'medium' }, (alert) => (
      <span title={outcomeOf(alert)}>{outcomeOf(alert) || '—'}</span>
    )),
    column('attempts', t('alert.attempts'), { from: 'large' }, ({ attempts, next_try: next }) => (
      <span className="numbers">
        {attempts}
        {next !== null && attempts > 0 && (
          <span className="soft">
            {' '}
            {t('alert.next_try')} <TimeAhead time={next} />
          </span>
        )}
      </span>
    )),
    actionsColumn(
      (alert) =>
        alert.status === 'failed' && (
          <IconButton
            label={retryWords(alert)}
            hint={t('alert.retry')}
            icon={<IconRepeat size={16} />}
            onClick={() => onRetry(alert)}
          />
        ),
    ),
  ];
}
