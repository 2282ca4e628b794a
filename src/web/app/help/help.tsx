import { Link, useLoaderData, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { HelpPage } from '../../features/help/help-page.tsx';
import type { GuidePage } from '../../features/help/guide.ts';
import { t } from '../../lib/i18n.ts';
import { Toasts } from '../../ui/feedback/toasts.tsx';
import { LogoMark } from '../../ui/page/logo.tsx';
import classes from './help.module.css';

/** Public, so it shows nothing of a project. */
export function Help() {
  const router = useRouter();
  const navigate = useNavigate();
  const page = useLoaderData({ strict: false }) as GuidePage | null;
  const { q = '' } = useSearch({ strict: false }) as { q?: string };
  const search = (query: string) =>
    void navigate({ to: '.', search: { q: query === '' ? undefined : query }, replace: true });
  return (
    <div className="bg-page" style={{ minHeight: '100%' }}>
      <header className={`row wrap gap-4-20 bg-surface border-bottom ${classes.head}`}>
        <Link to="/" className={`row gap-8 weight-600 color-text ${classes.brand}`}>
          <LogoMark size={26} />
          {t('help.to_console')}
        </Link>
        <a href="/help" className="color-accent">
          {t('help.title')}
        </a>
      </header>
      <HelpPage
        page={page}
        query={q}
        onSearch={search}
        onOpen={(address) => router.history.push(address)}
      />
      <Toasts />
    </div>
  );
}
