import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';

/** The keys of a project, and for which hosts git uses them. */
export function KeyTabs({ projectId }: { projectId: number }) {
  const shared = { params: { projectId }, activeOptions: { exact: true, includeSearch: false } };
  return (
    <>
      <Link to="/project/$projectId/keys" {...shared}>
        {t('key.list')}
      </Link>
      <Link to="/project/$projectId/keys/hosts" {...shared}>
        {t('host_config.list')}
      </Link>
    </>
  );
}
