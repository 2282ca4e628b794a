import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeliveryRequest, WholeDelivery } from '#shared/api/deliveries.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t } from '../../lib/i18n.ts';
import { prettyJson } from '../../ui/code/pretty-json.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormSkeleton } from '../../ui/feedback/skeleton.tsx';
import { ResultChip } from './delivery-result.tsx';
import { integrationQueries, type IntegrationRef } from './integrations.queries.ts';
import { reasonWords } from './integration-words.ts';
import { headersText } from './request-text.ts';
import type { LaunchLinks } from '../../resources/columns.ts';

interface Props extends LaunchLinks {
  place: IntegrationRef;
  opened: number | null;
  onClose: () => void;
  onTry: (deliveryId: number) => void;
  onReplay: (deliveryId: number) => void;
}

/** A request as the sender sent it, without credentials. */
export function DeliveryDialog({ place, opened, onClose, ...actions }: Props) {
  // Keeps the delivery during the closing animation.
  const [shown, setShown] = useState(opened);
  if (opened !== null && opened !== shown) setShown(opened);
  const id = shown ?? 0;
  const { data, error, refetch } = useQuery({
    ...integrationQueries.delivery(place, id),
    enabled: opened !== null,
    staleTime: Infinity,
  });
  return (
    <Dialog
      opened={opened !== null}
      onClose={onClose}
      title={t('delivery.title', { id })}
      size={720}
      help="integration"
    >
      {data ? (
        <Whole delivery={data} {...actions} />
      ) : error ? (
        <QueryFailure error={error} refetch={refetch} />
      ) : (
        <FormSkeleton fields={2} />
      )}
    </Dialog>
  );
}

interface WholeProps extends LaunchLinks, Pick<Props, 'onTry' | 'onReplay'> {
  delivery: WholeDelivery;
}

function Whole({ delivery, onTry, onReplay, renderTask, renderRun }: WholeProps) {
  const { id, result, created, ip, method, reason, request } = delivery;
  const { task_id: taskId, workflow_run_id: runId } = delivery;
  return (
    <>
      <div className="row wrap gap-8-16">
        <ResultChip result={result} />
        {taskId !== null && renderTask(taskId)}
        {runId !== null && renderRun(runId)}
        <TimeAgo time={created} />
        <code>{`${method} ← ${ip}`}</code>
      </div>
      <p className="break" style={{ padding: '10px 0 4px' }}>
        {reasonWords(reason)}
      </p>
      <RequestText request={request} />
      <div className="flex wrap justify-end gap-10" style={{ paddingTop: 18 }}>
        <Button variant="default" onClick={() => onTry(id)}>
          {t('delivery.try')}
        </Button>
        {result !== 'unauthorized' && (
          <Button variant="default" onClick={() => onReplay(id)}>
            {t('delivery.replay')}
          </Button>
        )}
      </div>
    </>
  );
}

function RequestText({ request }: { request: DeliveryRequest }) {
  const body = prettyJson(request.body) ?? request.body;
  return (
    <>
      <h3 className="smaller weight-550 soft" style={{ padding: '16px 0 6px' }}>
        {t('delivery.headers')}
      </h3>
      <pre className="smaller font-mono bg-log border rounded-6" style={{ padding: '10px 12px' }}>
        {headersText(request.headers)}
      </pre>
      <h3 className="smaller weight-550 soft" style={{ padding: '16px 0 6px' }}>
        {t('delivery.body')}
      </h3>
      <pre className="smaller font-mono bg-log border rounded-6" style={{ padding: '10px 12px' }}>
        {body === '' ? t('delivery.no_body') : body}
      </pre>
    </>
  );
}
