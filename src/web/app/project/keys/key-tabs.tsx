import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';

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
