import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { IconHome, IconSearch, IconServerCog, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { useWaitingCount } from '../../features/tasks/overview/waiting-count.ts';
import { t } from '../../lib/i18n.ts';
import { paletteKeys } from '../../lib/shortcuts.ts';
import { useCurrentUser } from '../session/access.ts';
import { isOfAdmins } from './admin-sections.ts';
import { ProjectSections } from './project-sections.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import classes from './sidebar.module.css';
import { UserMenu } from './user-menu.tsx';
import type { useRail } from './use-rail.ts';

interface Props {
  onPalette: () => void;
  onToastList: () => void;
  /** Missing where the sidebar does not cover the screen. */
  onClose?: () => void;
  /** Collapses the sidebar to a rail of icons; missing in the drawer. */
  rail?: ReturnType<typeof useRail>;
}

export function Sidebar({ onPalette, onToastList, onClose, rail }: Props) {
  const params = useParams({ strict: false });
  const { pathname } = useLocation();
  const user = useCurrentUser();
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  const projectId = projects.find(({ id }) => id === params.projectId)?.id;
  const openPalette = () => {
    onClose?.();
    onPalette();
  };
  return (
    <>
      <div className="row gap-4">
        <ProjectSwitcher projectId={projectId} onPalette={openPalette} />
        {onClose && (
          <button
            type="button"
            className="inline-flex center flex-none soft rounded-6"
            style={{ width: 32, height: 32 }}
            aria-label={t('common.close')}
            onClick={onClose}
          >
            <IconX size={18} />
          </button>
        )}
      </div>
      <button
        type="button"
        className={`${classes.entry} ${classes.find}`}
        data-rail-tip={t('palette.open')}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={openPalette}
      >
        <IconSearch size={18} aria-hidden="true" />
        {t('palette.open')}
        <kbd className={`ml-auto smallest soft ${classes.keys}`}>{paletteKeys}</kbd>
      </button>
      <nav ref={useCurrentInView()} className={classes.sections} aria-label={t('shell.sections')}>
        <HomeLink />
        {projectId !== undefined && <ProjectSections projectId={projectId} />}
        {user.admin && (
          <Link
            to="/tasks"
            className={`${classes.entry} mt-auto`}
            data-rail-tip={t('shell.administration')}
            activeOptions={{ includeSearch: false }}
            aria-current={isOfAdmins(pathname) ? 'page' : undefined}
          >
            <IconServerCog size={18} aria-hidden="true" />
            {t('shell.administration')}
          </Link>
        )}
      </nav>
      <div className={classes.user}>
        <UserMenu
          rail={rail}
          onToastList={() => {
            onClose?.();
            onToastList();
          }}
        />
      </div>
    </>
  );
}

function HomeLink() {
  const count = useWaitingCount();
  return (
    <Link to="/overview" className={classes.entry} data-rail-tip={t('overview.title')}>
      <IconHome size={18} aria-hidden="true" />
      {t('overview.title')}
      {count > 0 && (
        <span className={`ml-auto smallest numbers text-center ${classes.waiting}`}>
          <span aria-hidden="true">{count}</span>
          <span className="visually-hidden">{t('overview.waiting_count', { count })}</span>
        </span>
      )}
    </Link>
  );
}

/** Scrolls the link of the open screen into view, where the window is too low for all links. */
function useCurrentInView() {
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another link is current on each screen
  }, [pathname]);
  return nav;
}
