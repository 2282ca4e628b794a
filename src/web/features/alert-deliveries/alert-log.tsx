import { useMutation, useQuery } from '@tanstack/react-query';
import {
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconMailOff,
  IconRepeat,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type DeliveryStatus, deliveryStatuses } from '#shared/alerts.ts';
import type { AlertDelivery } from '#shared/api/alert-deliveries.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { t } from '../../lib/i18n.ts';
import { TimeAgo, TimeAhead } from '../../lib/time-text.tsx';
import { ChoiceFilter } from '../../ui/forms/choice-filter.tsx';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';
import { CursorPager } from '../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../ui/lists/cursors.ts';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { alertDeliveryQueries, retryAlert } from './alert-deliveries.queries.ts';
import classes from './alert-log.module.css';

interface Props {
  projectId: number;
  status: DeliveryStatus | undefined;
  onStatus: (status: DeliveryStatus | undefined) => void;
  trail: Trail;
  onTrail: (trail: Trail) => void;
  renderTask: (taskId: number) => ReactNode;
  renderRun: (runId: number) => ReactNode;
}

/** The alerts of the last months, with the state of their delivery. */
export function AlertLog({ projectId, status, onStatus, trail, onTrail, ...render }: Props) {
  const filter = { status, before: cursorOf(trail) };
  const { data, error, refetch } = useQuery(alertDeliveryQueries.page(projectId, filter));
  const retry = useMutation(retryAlert());
  const onRetry = ({ id }: AlertDelivery) =>
    retry.mutate(
      { params: { project_id: projectId, alert_delivery_id: id } },
      {
        onSuccess: () => toast(t('alert.retried')),
        onError: toastFailure,
      },
    );
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  return (
    <>
      <div style={{ maxWidth: 220, padding: '14px 0 6px' }}>
        <ChoiceFilter
          label={t('alert.state')}
          options={deliveryStatuses.map((value) => ({ value, label: t(`alert.status.${value}`) }))}
          value={status}
          onChoose={(value) => onStatus(deliveryStatuses.find((one) => one === value))}
        />
      </div>
      {data?.items.length === 0 ? (
        <EmptyState
          icon={<IconMailOff size={24} />}
          title={status ? t('alert.none_in_state') : t('alert.no_deliveries')}
          {...(status ? {} : { text: t('alert.no_deliveries_text') })}
        />
      ) : (
        <DataTable
          label={t('alert.deliveries')}
          columns={columns({ ...render, onRetry })}
          rows={data?.items}
          rowKey={({ id }) => id}
        />
      )}
      <CursorPager trail={trail} onTrail={onTrail} next={data?.next ?? null} />
    </>
  );
}

const looks: ChipStyles<DeliveryStatus> = {
  pending: { tone: 'neutral', icon: <IconClock size={15} /> },
  sent: { tone: 'success', icon: <IconCircleCheck size={15} /> },
  failed: { tone: 'danger', icon: <IconCircleX size={15} /> },
};

interface Cells {
  renderTask: Props['renderTask'];
  renderRun: Props['renderRun'];
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
    {
      key: 'when',
      title: t('delivery.when'),
      from: 'small',
      cell: ({ created }) => <TimeAgo time={created} />,
    },
    {
      key: 'about',
      title: t('task.column.task'),
      wide: true,
      cell: ({ task_id: id, run_id: runId, event, created, ...alert }) => (
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
    },
    {
      key: 'recipient',
      title: t('alert.recipient'),
      from: 'small',
      cell: (alert) => <span title={recipientOf(alert)}>{recipientOf(alert)}</span>,
    },
    {
      key: 'status',
      title: t('alert.state'),
      cell: ({ status }) => (
        <StateChip state={status} looks={looks} words={(known) => t(`alert.status.${known}`)} />
      ),
    },
    {
      key: 'answer',
      title: t('alert.answer'),
      wide: true,
      from: 'medium',
      cell: (alert) => <span title={outcomeOf(alert)}>{outcomeOf(alert) || '—'}</span>,
    },
    {
      key: 'attempts',
      title: t('alert.attempts'),
      from: 'large',
      cell: ({ attempts, next_try: next }) => (
        <span className="numbers">
          {attempts}
          {next !== null && attempts > 0 && (
            <span className="soft">
              {' '}
              {t('alert.next_try')} <TimeAhead time={next} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'actions',
      title: '',
      hiddenTitle: t('common.actions'),
      align: 'end',
      cell: (alert) =>
        alert.status === 'failed' && (
          <IconButton
            label={retryWords(alert)}
            hint={t('alert.retry')}
            icon={<IconRepeat size={16} />}
            onClick={() => onRetry(alert)}
          />
        ),
    },
  ];
}
