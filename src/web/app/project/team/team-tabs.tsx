import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';

export function TeamTabs({ projectId }: { projectId: number }) {
  const shared = { params: { projectId }, activeOptions: { exact: true, includeSearch: false } };
  return (
    <>
      <Link to="/project/$projectId/team" {...shared}>
        {t('team.members')}
      </Link>
      <Link to="/project/$projectId/team/roles" {...shared}>
        {t('role.list')}
      </Link>
      <Link to="/project/$projectId/team/access" {...shared}>
        {t('access.title')}
      </Link>
    </>
  );
}
