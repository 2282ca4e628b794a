import { useParams } from '@tanstack/react-router';
import { TeamPage } from '../../../features/members/team-page.tsx';
import { useAccess, useCurrentUser } from '../../session/access.ts';
import { TeamTabs } from './team-tabs.tsx';

export function Team() {
  const { projectId } = useParams({ from: '/app/project/$projectId/team' });
  const user = useCurrentUser();
  return (
    <TeamPage
      key={projectId}
      projectId={projectId}
      userId={user.id}
      isAdmin={user.admin}
      may={useAccess(projectId)}
      tabs={<TeamTabs projectId={projectId} />}
      // The user has lost access to the project, so the cache of the page must go.
      onLeft={() => location.assign('/')}
    />
  );
}
