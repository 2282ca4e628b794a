import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ChannelList } from '../../features/alert-channels/channel-list.tsx';
import { AlertLog } from '../../features/alert-deliveries/alert-log.tsx';
import { RunLink } from '../../features/workflows/run-link.tsx';
import { TaskLink } from '../../features/tasks/task-link.tsx';
import { t } from '../../lib/i18n.ts';
import { AddButton } from '../../resources/resource-list.tsx';
import { Page } from '../../ui/page/page.tsx';
import { TabLinks } from '../../ui/page/tab-links.tsx';
import { useAccess } from '../session/access.ts';
import { useListAddress } from '../address/list-address.ts';

const from = '/app/project/$projectId/alerts' as const;

export function Alerts() {
  const { projectId } = useParams({ from });
  const { tab, status, before } = useSearch({ from });
  const navigate = useNavigate({ from: '/project/$projectId/alerts' });
  const mayManage = useAccess(projectId)('alert.edit');
  const address = useListAddress(mayManage);
  const tabs = [
    { key: 'channels', title: t('alert_channel.list') },
    { key: 'sent', title: t('alert.deliveries') },
  ];
  const isLog = tab === 'sent' && mayManage;
  return (
    <Page
      title={t('alert.title')}
      actions={mayManage && !isLog && <AddButton noun="alert_channel" address={address} />}
      tabs={mayManage && <TabLinks tabs={tabs} />}
    >
      {isLog ? (
        <AlertLog
          key={projectId}
          projectId={projectId}
          status={status}
          onStatus={(chosen) => void navigate({ search: { tab, status: chosen } })}
          trail={before}
          onTrail={(trail) => void navigate({ search: (search) => ({ ...search, before: trail }) })}
          renderTask={(id) => <TaskLink id={id} />}
          renderRun={(id) => <RunLink projectId={projectId} id={id} />}
        />
      ) : (
        <ChannelList
          key={projectId}
          projectId={projectId}
          mayManage={mayManage}
          address={address}
        />
      )}
    </Page>
  );
}
