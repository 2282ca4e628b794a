import { useParams } from '@tanstack/react-router';
import { PersonAccessPage } from '../../../features/grants/person-access-page.tsx';

export function PersonAccess() {
  const { projectId, userId } = useParams({ from: '/app/project/$projectId/team/access/$userId' });
  return <PersonAccessPage key={userId} projectId={projectId} userId={userId} />;
}
