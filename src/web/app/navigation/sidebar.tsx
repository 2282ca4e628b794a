import { Switch } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import {
  IconLayoutSidebar,
  IconMoon,
  IconSearch,
  IconServerCog,
  IconStack2,
  IconX,
} from '@tabler/icons-react';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { t } from '../../lib/i18n.ts';
import { useDarkMode } from '../../lib/use-dark-mode.ts';
import { useCurrentUser } from '../session/access.ts';
import { isOfAdmins } from './admin-sections.ts';
import { LanguageMenu } from './language-menu.tsx';
import { ProjectSections } from './project-sections.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import classes from './sidebar.module.css';
import { ToastListButton } from './toast-list-button.tsx';
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
        title={t('palette.open')}
        aria-keyshortcuts="Control+K"
        onClick={openPalette}
      >
        <IconSearch size={18} aria-hidden="true" />
        {t('palette.open')}
        <kbd className={`ml-auto smallest soft ${classes.keys}`}>Ctrl K</kbd>
      </button>
      <nav
        className="column gap-2 flex-1 min-h-0"
        style={{ marginTop: 14, overflowY: 'auto' }}
        aria-label={t('shell.sections')}
      >
        {projects.length > 1 && (
          <Link to="/overview" className={classes.entry} title={t('overview.title')}>
            <IconStack2 size={18} aria-hidden="true" />
            {t('overview.title')}
          </Link>
        )}
        {projectId !== undefined && <ProjectSections projectId={projectId} />}
        {user.admin && (
          <Link
            to="/tasks"
            className={`${classes.entry} mt-auto`}
            title={t('shell.administration')}
            activeOptions={{ includeSearch: false }}
            aria-current={isOfAdmins(pathname) ? 'page' : undefined}
          >
            <IconServerCog size={18} aria-hidden="true" />
            {t('shell.administration')}
          </Link>
        )}
      </nav>
      <div className="column gap-2 pt-10 border-top">
        {rail && (
          <button
            type="button"
            className={classes.entry}
            title={t('shell.rail')}
            aria-pressed={rail.isRail}
            onClick={rail.toggle}
          >
            <IconLayoutSidebar size={18} aria-hidden="true" />
            {t('shell.rail')}
          </button>
        )}
        <ToastListButton
          onOpen={() => {
            onClose?.();
            onToastList();
          }}
        />
        <LanguageMenu />
        <DarkModeSwitch />
        <UserMenu />
      </div>
    </>
  );
}

function DarkModeSwitch() {
  const [isDark, setDark] = useDarkMode();
  return (
    <Switch
      className={classes.dark ?? ''}
      size="sm"
      labelPosition="left"
      label={
        <span className={`row gap-10 text-14 weight-500 ${classes.darkLabel}`}>
          <IconMoon className="soft" size={18} aria-hidden="true" />
          {t('shell.dark_mode')}
        </span>
      }
      checked={isDark}
      onChange={(event) => setDark(event.currentTarget.checked)}
    />
  );
}
