import { useParams } from '@tanstack/react-router';
import { TeamPage } from '../../features/members/team-page.tsx';
import { useAccess, useCurrentUser } from '../session/access.ts';

export function Team() {
  const { projectId } = useParams({ from: '/app/project/$projectId/team' });
  const user = useCurrentUser();
  const may = useAccess(projectId);
  return (
    <TeamPage
      key={projectId}
      projectId={projectId}
      userId={user.id}
      isAdmin={user.admin}
      mayManage={may('manage_users')}
      // The user has lost access to the project, so the cache of the page must go.
      onLeft={() => location.assign('/')}
    />
  );
}
