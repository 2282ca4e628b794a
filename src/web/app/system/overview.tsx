import { OverviewView } from '../../features/tasks/overview/overview-view.tsx';
import { t } from '../../lib/i18n.ts';
import { Page } from '../../ui/page/page.tsx';
import { BackLink } from '../navigation/back-link.tsx';

export function Overview() {
  return (
    <Page title={t('overview.title')} above={<BackLink />}>
      <OverviewView />
    </Page>
  );
}
