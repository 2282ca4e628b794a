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
      // Everything on the screen belongs to a project that no longer exists for the user, so the
      // page is loaded again.
      onLeft={() => location.assign('/')}
    />
  );
}
