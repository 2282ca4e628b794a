import { Link } from '@tanstack/react-router';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useCurrentUser } from '../session/access.ts';
import { adminSections } from '../navigation/admin-sections.ts';
import { BackLink } from '../navigation/back-link.tsx';

interface Props {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of the screens for administrators; other users see that they lack the right. */
export function AdminPage({ title, actions, children }: Props) {
  const { admin } = useCurrentUser();
  return (
    <Page
      title={title}
      above={<BackLink />}
      actions={admin && actions}
      tabs={admin && <AdminTabs />}
    >
      {admin ? (
        <div className="pt-6">{children}</div>
      ) : (
        <EmptyState
          icon={<IconLock size={24} />}
          title={t('admin.forbidden')}
          text={t('admin.forbidden_text')}
        />
      )}
    </Page>
  );
}

export function AdminTabs() {
  return adminSections.map(({ to, words }) => (
    <Link key={to} to={to} activeOptions={{ includeSearch: false }}>
      {t(words)}
    </Link>
  ));
}
