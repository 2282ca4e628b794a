import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { NewProjectPage } from '../../features/projects/new-project-page.tsx';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { useCurrentUser } from '../session/access.ts';

export function NewProject() {
  const user = useCurrentUser();
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  const navigate = useNavigate();
  return (
    <NewProjectPage
      mayCreate={user.can_create_project}
      isFirst={projects.length === 0}
      onCreated={({ id }) =>
        // The demo has templates to run; an empty project shows the steps to the first one.
        void navigate({ to: '/project/$projectId/templates', params: { projectId: id } })
      }
    />
  );
}
