import { ProjectAvatar } from '../../features/projects/project-avatar.tsx';
import { OverviewView } from '../../features/tasks/overview/overview-view.tsx';
import { t } from '../../lib/i18n.ts';
import { Page } from '../../ui/page/page.tsx';

export function Overview() {
  return (
    <Page title={t('overview.title')}>
      <OverviewView renderAvatar={(project) => <ProjectAvatar {...project} />} />
    </Page>
  );
}
