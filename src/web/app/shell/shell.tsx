import { Outlet, useLocation, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { IconMenu2 } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { arrival } from '../../ui/page/arrival.ts';
import { LogoMark } from '../../ui/page/logo.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Tips } from '../../ui/feedback/tips.tsx';
import { Hatch } from '../../ui/charts/bars.tsx';
import { Toasts } from '../../ui/feedback/toasts.tsx';
import { Banners } from './banners.tsx';
import { LoadingBar } from './loading-bar.tsx';
import { SessionGuard } from '../session/session-guard.tsx';
import classes from './shell.module.css';
import { Shortcuts } from '../keyboard/shortcuts.tsx';
import { Sidebar } from '../navigation/sidebar.tsx';
import { useScreenPreload } from './use-screen-preload.ts';
import { useRail } from '../navigation/use-rail.ts';

const ToastList = lazyExport(() => import('../dialogs/toast-list.tsx'), 'ToastList');

const MenuDrawer = lazyExport(() => import('./menu-drawer.tsx'), 'MenuDrawer');

const FoundTask = lazyExport(() => import('../dialogs/found-task.tsx'), 'FoundTask');

export function Shell() {
  const { pathname } = useLocation();
  // Closes with a navigation, so that users see the page that they open.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const opened = openedOn === pathname;
  const [asked, setAsked] = useState(0);
  const [isListOpened, setListOpened] = useState(false);
  const onToastList = () => setListOpened(true);
  const onPalette = () => setAsked((count) => count + 1);
  const close = () => setOpenedOn(null);
  const rail = useRail();
  useScreenPreload();
  const { history } = useRouter();
  // Subscribes after the router: before that, the router follows redirects only without other
  // subscribers.
  useEffect(() => history.subscribe(({ action }) => arrival.note(action.type)), [history]);
  return (
    <div className={`grid ${classes.frame}`} data-rail={rail.isRail || undefined}>
      <LoadingBar />
      <a className={`rounded-6 ${classes.skip}`} href="#content">
        {t('shell.skip')}
      </a>
      <aside className={`column bg-page ${classes.sidebar}`} aria-label={t('shell.menu')}>
        <Sidebar onPalette={onPalette} onToastList={onToastList} rail={rail} />
      </aside>
      <header className={classes.bar}>
        <button
          type="button"
          className="inline-flex center color-text rounded-8"
          style={{ width: 40, height: 40 }}
          aria-label={t('shell.open_menu')}
          aria-expanded={opened}
          onClick={() => setOpenedOn(pathname)}
        >
          <IconMenu2 size={22} />
        </button>
        <LogoMark size={24} />
        <span className="weight-650">Signalbox</span>
      </header>
      <OnceOpened opened={opened}>
        <MenuDrawer opened={opened} onClose={close} label={t('shell.menu')}>
          <Sidebar onPalette={onPalette} onToastList={onToastList} onClose={close} />
        </MenuDrawer>
      </OnceOpened>
      <main id="content" className={`min-w-0 ${classes.main}`} tabIndex={-1}>
        <Banners />
        <Outlet />
      </main>
      <Toasts />
      <Tips />
      <Hatch />
      <OnceOpened opened={isListOpened}>
        <ToastList opened={isListOpened} onClose={() => setListOpened(false)} />
      </OnceOpened>
      <TaskOfNoProject />
      <Shortcuts asked={asked} />
      <SessionGuard />
    </div>
  );
}

function TaskOfNoProject() {
  const { projectId } = useParams({ strict: false });
  const { t: taskId } = useSearch({ strict: false });
  if (projectId !== undefined || taskId === undefined) return null;
  return (
    <Suspense>
      <FoundTask key={taskId} taskId={taskId} />
    </Suspense>
  );
}
