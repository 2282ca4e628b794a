import { useQuery } from '@tanstack/react-query';
import { IconFileText, IconInbox, IconRepeat } from '@tabler/icons-react';
import type { Delivery } from '#shared/api/deliveries.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { QueryTable } from '../../resources/query-table.tsx';
import { useConfirmed } from '../../resources/use-confirmed.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { RowActions } from '../../ui/lists/row-actions.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { actionsColumn, column, type LaunchLinks } from '../../resources/columns.ts';
import { ResultChip } from './delivery-result.tsx';
import {
  integrationQueries,
  type IntegrationRef,
  paramsOf,
  replayDelivery,
} from './integrations.queries.ts';
import { reasonWords } from './integration-words.ts';

const DeliveryDialog = lazyExport(() => import('./delivery-dialog.tsx'), 'DeliveryDialog');

interface Props extends LaunchLinks {
  place: IntegrationRef;
  opened: number | null;
  onOpen: (deliveryId: number | null) => void;
  /** Evaluates a request by the current matchers, without launching anything. */
  onTry: (deliveryId: number) => void;
}

export function DeliveryLog({ place, opened, onOpen, onTry, ...links }: Props) {
  const replay = useReplay(place);
  return (
    <>
      <QueryTable
        result={useQuery(integrationQueries.deliveries(place))}
        label={t('delivery.list')}
        columns={columns({ ...links, onOpen, onReplay: replay.ask })}
        pageSize={50}
        empty={
          <EmptyState
            icon={<IconInbox size={24} />}
            title={t('delivery.none.title')}
            text={t('delivery.none.text')}
          />
        }
      />
      <OnceOpened opened={opened !== null}>
        <DeliveryDialog
          place={place}
          opened={opened}
          onClose={() => onOpen(null)}
          onTry={onTry}
          onReplay={replay.ask}
          {...links}
        />
      </OnceOpened>
      {replay.dialog}
    </>
  );
}

const useReplay = (place: IntegrationRef) =>
  useConfirmed({
    mutation: replayDelivery(),
    argsOf: (id: number) => ({ params: { ...paramsOf(place), delivery_id: id } }),
    wordsOf: () => ({
      title: t('delivery.replay'),
      text: t('delivery.replay_text'),
      action: t('delivery.replay'),
      isHarmless: true,
    }),
    onDone: ({ result, reason }) => {
      const words = `${t(`delivery.result.${result}`)}: ${reasonWords(reason)}`;
      if (result === 'failed') toastError(words);
      else toast(words);
    },
  });

interface Cells extends LaunchLinks {
  onOpen: (id: number) => void;
  onReplay: (id: number) => void;
}

function columns({ renderTask, renderRun, onOpen, onReplay }: Cells): Column<Delivery>[] {
  return [
    column('created', t('delivery.when'), {}, ({ created }) => <TimeAgo time={created} />),
    column('result', t('delivery.result.label'), {}, ({ result }) => (
      <ResultChip result={result} />
    )),
    column(
      'reason',
      t('delivery.why'),
      { wide: 'most', from: 'small' },
      ({ reason, replay_of: of }) => {
        const words = reasonWords(reason);
        return (
          <span title={words}>
            {of !== null && <span className="soft">{t('delivery.replay_of', { id: of })} </span>}
            {words}
          </span>
        );
      },
    ),
    column(
      'launched',
      t('starts.launched'),
      { from: 'small' },
      ({ task_id: task, workflow_run_id: run }) =>
        task !== null ? renderTask(task) : run !== null ? renderRun(run) : '—',
    ),
    column('from', t('delivery.from'), { from: 'medium' }, ({ ip }) => <code>{ip}</code>),
    actionsColumn(({ id, result }) => (
      <RowActions>
        <IconButton
          label={t('delivery.show_label', { id })}
          hint={t('delivery.show')}
          icon={<IconFileText size={16} />}
          onClick={() => onOpen(id)}
        />
        <IconButton
          label={t('delivery.replay_label', { id })}
          hint={t('delivery.replay')}
          icon={<IconRepeat size={16} />}
          refused={result === 'unauthorized' ? t('delivery.not_replayed') : null}
          onClick={() => onReplay(id)}
        />
      </RowActions>
    )),
  ];
}
