import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { useCurrentUser } from '../session/access.ts';

const NewProjectPage = lazyExport(
  () => import('../../features/projects/new-project-page.tsx'),
  'NewProjectPage',
);

export function NewProject() {
  const user = useCurrentUser();
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  const navigate = useNavigate();
  return (
    <Suspense>
      <NewProjectPage
        mayCreate={user.can_create_project}
        isFirst={projects.length === 0}
        onCreated={({ id }) =>
          // The demo has templates to run; an empty project shows the first steps.
          void navigate({ to: '/project/$projectId/templates', params: { projectId: id } })
        }
      />
    </Suspense>
  );
}
