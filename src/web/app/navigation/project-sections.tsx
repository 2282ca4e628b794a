import { Link, useLocation } from '@tanstack/react-router';
import {
  IconBell,
  IconBraces,
  IconCalendarClock,
  IconGitBranch,
  IconKey,
  IconLayoutDashboard,
  IconPlaylist,
  IconServer,
  IconServer2,
  IconSitemap,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { useHasTasks } from '../../features/projects/use-has-tasks.ts';
import { t } from '../../lib/i18n.ts';
import { lastView } from '../address/last-view.ts';
import classes from './sidebar.module.css';
import { templatesPath } from '../address/template-address.ts';

const sections = [
  {
    to: '/project/$projectId/history',
    words: 'shell.dashboard',
    shortcut: 'd',
    Icon: IconLayoutDashboard,
  },
  {
    to: '/project/$projectId/templates',
    words: 'shell.templates',
    shortcut: 't',
    Icon: IconPlaylist,
  },
  {
    to: '/project/$projectId/workflows',
    words: 'shell.workflows',
    shortcut: 'f',
    Icon: IconSitemap,
  },
  {
    to: '/project/$projectId/schedules',
    words: 'shell.schedules',
    shortcut: 's',
    Icon: IconCalendarClock,
  },
  {
    to: '/project/$projectId/inventory',
    words: 'shell.inventory',
    shortcut: 'i',
    Icon: IconServer2,
  },
  { to: '/project/$projectId/hosts', words: 'shell.hosts', shortcut: 'h', Icon: IconServer },
  {
    to: '/project/$projectId/environment',
    words: 'shell.environment',
    shortcut: 'e',
    Icon: IconBraces,
  },
  { to: '/project/$projectId/keys', words: 'shell.keys', shortcut: 'k', Icon: IconKey },
  {
    to: '/project/$projectId/repositories',
    words: 'shell.repositories',
    shortcut: 'r',
    Icon: IconGitBranch,
  },
  {
    to: '/project/$projectId/integrations',
    words: 'shell.integrations',
    shortcut: 'w',
    Icon: IconWebhook,
  },
  { to: '/project/$projectId/alerts', words: 'shell.alerts', shortcut: 'a', Icon: IconBell },
  { to: '/project/$projectId/team', words: 'shell.team', shortcut: 'm', Icon: IconUsers },
] as const;

const shared: readonly string[] = ['shell.dashboard', 'shell.team'];
const sharedSections = sections.filter(({ words }) => shared.includes(words));

export const useSections = (projectId: number | undefined) =>
  useHasTasks(projectId) ? sections : sharedSections;

const dashboard = '/project/$projectId/history';
const isDashboard = /^\/project\/\d+\/(?:history|workflow_runs|activity|settings)\/?$/;
// The pages of runs belong to the section of workflows, but have other addresses.
const workflows = '/project/$projectId/workflows';
const isRun = /^\/project\/\d+\/workflow_runs\//;

const isOpen = (to: string, pathname: string): boolean =>
  (to === dashboard && isDashboard.test(pathname)) || (to === workflows && isRun.test(pathname));

export function ProjectSections({ projectId }: { projectId: number }) {
  const { pathname } = useLocation();
  return useSections(projectId).map(({ to, words, Icon }) =>
    words === 'shell.templates' ? (
      <TemplatesLink key={to} projectId={projectId} />
    ) : (
      <Link
        key={to}
        to={to}
        params={{ projectId }}
        className={classes.entry}
        title={t(words)}
        activeOptions={{ includeSearch: false }}
        aria-current={isOpen(to, pathname) ? 'page' : undefined}
      >
        <Icon size={18} aria-hidden="true" />
        {t(words)}
      </Link>
    ),
  );
}

/** Leads to the view that was open last. */
function TemplatesLink({ projectId }: { projectId: number }) {
  const { pathname } = useLocation();
  const isHere = /^\/project\/\d+\/(?:views|templates)(?:\/|$)/.test(pathname);
  return (
    <Link
      to={templatesPath(projectId, lastView(projectId))}
      className={classes.entry}
      title={t('shell.templates')}
      aria-current={isHere ? 'page' : undefined}
    >
      <IconPlaylist size={18} aria-hidden="true" />
      {t('shell.templates')}
    </Link>
  );
}
