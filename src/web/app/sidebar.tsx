import { Switch, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import {
  IconLayoutDashboard,
  IconMoon,
  IconPlaylist,
  IconServerCog,
  IconUsers,
  IconX,
} from '@tabler/icons-react';
import { projectQueries } from '../features/projects/projects.queries.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useCurrentUser } from './access.ts';
import { LanguageMenu } from './language-menu.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import classes from './sidebar.module.css';
import { UserMenu } from './user-menu.tsx';

// One entry leads to several screens, which have tabs.
const dashboard = /^\/project\/\d+\/(?:history|activity|settings)\/?$/;
const administration = /^\/(?:tasks|users|apps|runners|events|health)\/?$/;

/** The drawer; `onClose` where it lies over the screen. */
export function Sidebar({ onClose }: { onClose?: () => void }) {
  const { t } = useTranslation();
  const params = useParams({ strict: false });
  const { pathname } = useLocation();
  const user = useCurrentUser();
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  const projectId = projects.find(({ id }) => id === params.projectId)?.id;
  return (
    <>
      <div className={classes.top}>
        <ProjectSwitcher projectId={projectId} />
        {onClose && (
          <button
            type="button"
            className={classes.close}
            aria-label={t('common.close')}
            onClick={onClose}
          >
            <IconX size={18} />
          </button>
        )}
      </div>
      <nav className={classes.nav} aria-label={t('shell.sections')}>
        {projectId !== undefined && (
          <>
            <Link
              to="/project/$projectId/history"
              params={{ projectId }}
              className={classes.entry}
              activeOptions={{ includeSearch: false }}
              aria-current={dashboard.test(pathname) ? 'page' : undefined}
            >
              <IconLayoutDashboard size={18} aria-hidden="true" />
              {t('shell.dashboard')}
            </Link>
            <Link
              to="/project/$projectId/templates"
              params={{ projectId }}
              className={classes.entry}
              activeOptions={{ includeSearch: false }}
            >
              <IconPlaylist size={18} aria-hidden="true" />
              {t('shell.templates')}
            </Link>
            <Link to="/project/$projectId/team" params={{ projectId }} className={classes.entry}>
              <IconUsers size={18} aria-hidden="true" />
              {t('shell.team')}
            </Link>
          </>
        )}
        {user.admin && (
          <Link
            to="/tasks"
            className={`${classes.entry} ${classes.last}`}
            activeOptions={{ includeSearch: false }}
            aria-current={administration.test(pathname) ? 'page' : undefined}
          >
            <IconServerCog size={18} aria-hidden="true" />
            {t('shell.administration')}
          </Link>
        )}
      </nav>
      <div className={classes.bottom}>
        <LanguageMenu />
        <DarkModeSwitch />
        <UserMenu />
      </div>
    </>
  );
}

function DarkModeSwitch() {
  const { t } = useTranslation();
  const { setColorScheme, clearColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const toggle = (wanted: boolean) => {
    // What the system has anyway is not stored, so that the console goes on following it.
    const system = matchMedia('(prefers-color-scheme: dark)').matches;
    if (wanted === system) clearColorScheme();
    else setColorScheme(wanted ? 'dark' : 'light');
  };
  return (
    <Switch
      className={classes.dark ?? ''}
      size="sm"
      labelPosition="left"
      label={
        <span className={classes.darkLabel}>
          <IconMoon size={18} aria-hidden="true" />
          {t('shell.dark_mode')}
        </span>
      }
      checked={dark}
      onChange={(event) => toggle(event.currentTarget.checked)}
    />
  );
}
