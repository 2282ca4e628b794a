import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { DeliveryLog } from '../../features/integrations/delivery-log.tsx';
import { integrationQueries } from '../../features/integrations/integrations.queries.ts';
import { IntegrationPage } from '../../features/integrations/integration-page.tsx';
import { TaskLink } from '../../features/tasks/task-link.tsx';
import { RunLink } from '../../features/workflows/run-link.tsx';
import { mayOnStarter } from '../../lib/roles/may.ts';
import { useAccess } from '../session/access.ts';
import { useEditAddress } from '../address/edit-address.ts';

const TryBox = lazyExport(() => import('../../features/integrations/try-box.tsx'), 'TryBox');

const from = '/app/project/$projectId/integration/$integrationId' as const;

export function IntegrationDetail() {
  const place = useParams({ from });
  const { tab = 'settings', delivery = null } = useSearch({ from });
  const may = useAccess(place.projectId);
  const { data } = useQuery(integrationQueries.one(place));
  const mayManage = data
    ? mayOnStarter(may, data)('integration.edit')
    : may('integration.edit', 'somewhere');
  const navigate = useNavigate({ from: '/project/$projectId/integration/$integrationId' });
  const show = (deliveryId: number | null) =>
    void navigate({
      search: (search) => ({ ...search, delivery: deliveryId ?? undefined }),
      replace: deliveryId === null,
      resetScroll: false,
    });
  return (
    <IntegrationPage
      key={place.integrationId}
      place={place}
      mayManage={mayManage}
      address={useEditAddress('edit', mayManage, place.integrationId)}
      valueAddress={useEditAddress('value', mayManage)}
      matcherAddress={useEditAddress('matcher', mayManage)}
      tab={tab}
      onDeleted={() =>
        void navigate({ to: '/project/$projectId/integrations', params: place, search: {} })
      }
    >
      {tab === 'try' ? (
        <Suspense>
          <TryBox place={place} from={delivery} />
        </Suspense>
      ) : (
        <DeliveryLog
          place={place}
          opened={delivery}
          onOpen={show}
          onTry={(id) => void navigate({ search: { tab: 'try', delivery: id } })}
          renderTask={(id) => <TaskLink id={id} />}
          renderRun={(id) => <RunLink projectId={place.projectId} id={id} />}
        />
      )}
    </IntegrationPage>
  );
}
