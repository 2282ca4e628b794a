import { Button } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useParams } from '@tanstack/react-router';
import { IconFileUpload } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { BackUpButton } from '../../features/backups/back-up-button.tsx';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { runnerQueries } from '../../features/runners/runners.queries.ts';
import { t } from '../../lib/i18n.ts';
import { Page } from '../../ui/page/page.tsx';
import { Section } from '../../ui/page/section.tsx';
import { settingsRights, useAccess, useCurrentUser, useMay } from '../session/access.ts';
import { RestoreProject } from '../dialogs/restore-project.tsx';

const ProjectSettings = lazyExport(
  () => import('../../features/projects/project-settings.tsx'),
  'ProjectSettings',
);
const DeleteProject = lazyExport(
  () => import('../../features/projects/delete-project.tsx'),
  'DeleteProject',
);
const ProjectRunners = lazyExport(
  () => import('../../features/runners/runner-list.tsx'),
  'ProjectRunners',
);

export function Settings() {
  const { projectId } = useParams({ from: '/app/project/$projectId/settings' });
  if (useMay(projectId, ...settingsRights)) return <SettingsPage projectId={projectId} />;
  return <Navigate to="/project/$projectId/history" params={{ projectId }} replace />;
}

function SettingsPage({ projectId }: { projectId: number }) {
  const navigate = useNavigate();
  const may = useAccess(projectId);
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  const { isPending } = useQuery(runnerQueries.list(projectId));
  const project = projects.find(({ id }) => id === projectId);
  return (
    <Page title={t('dashboard.settings')}>
      {/* Waits for the form and the runners, so that no button moves under the pointer. */}
      <Suspense>
        {may('project.edit') && (
          <Section narrow title={t('settings.project')}>
            <ProjectSettings key={projectId} projectId={projectId} />
          </Section>
        )}
        {may('runner.edit') && <ProjectRunners projectId={projectId} />}
        {!isPending && (
          <>
            {may('backup.read') && (
              <Section narrow title={t('backup.title')} text={t('backup.text')}>
                <BackUpButton projectId={projectId} />
              </Section>
            )}
            <RestoreSection />
            {project && may('project.delete') && (
              <Section narrow title={t('project.delete')} text={t('settings.delete_text')}>
                <DeleteProject project={project} onDeleted={() => void navigate({ to: '/' })} />
              </Section>
            )}
          </>
        )}
      </Suspense>
    </Page>
  );
}

function RestoreSection() {
  const user = useCurrentUser();
  const [opened, setOpened] = useState(false);
  if (!user.can_create_project) return null;
  return (
    <Section narrow title={t('restore.title')} text={t('restore.short')}>
      <Button
        variant="default"
        leftSection={<IconFileUpload size={16} />}
        onClick={() => setOpened(true)}
      >
        {t('restore.action')}
      </Button>
      <RestoreProject opened={opened} onClose={() => setOpened(false)} />
    </Section>
  );
}
