import { Link, useLocation } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { Page } from '../../ui/page/page.tsx';
import { Section } from '../../ui/page/section.tsx';
import { useCurrentUser } from '../session/access.ts';
import { BackLink } from '../navigation/back-link.tsx';

const Profile = lazyExport(() => import('../../features/users/account-forms.tsx'), 'Profile');
const PasswordForm = lazyExport(
  () => import('../../features/users/account-forms.tsx'),
  'PasswordForm',
);
const SessionList = lazyExport(
  () => import('../../features/session/session-list.tsx'),
  'SessionList',
);
const TokenList = lazyExport(() => import('../../features/tokens/token-list.tsx'), 'TokenList');

const SecondFactorPart = lazyExport(
  () => import('../../features/second-factor/second-factor-part.tsx'),
  'SecondFactorPart',
);

const tabs = [
  { to: '/account', words: 'account.profile' },
  { to: '/account/sessions', words: 'account.sessions' },
  { to: '/account/tokens', words: 'token.list' },
] as const;

export function Account() {
  const { pathname } = useLocation();
  return (
    <Page
      title={t('account.title')}
      above={<BackLink />}
      tabs={tabs.map(({ to, words }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {t(words)}
        </Link>
      ))}
    >
      <Suspense>
        {pathname === '/account/sessions' && <SessionList />}
        {pathname === '/account/tokens' && <TokenList />}
      </Suspense>
      {pathname === '/account' && <ProfileAndPassword />}
    </Page>
  );
}

function ProfileAndPassword() {
  const user = useCurrentUser();
  return (
    <Suspense>
      <Section narrow title={t('account.profile')}>
        <Profile userId={user.id} />
      </Section>
      {user.external ? (
        <Section narrow title={t('user.password')} text={t('account.external_password')}>
          {null}
        </Section>
      ) : (
        <Section narrow title={t('user.password')} text={t('account.password_text')}>
          <PasswordForm userId={user.id} />
        </Section>
      )}
      <SecondFactorPart onMissing={() => location.assign('/')} />
    </Suspense>
  );
}
