import { Link, useLocation } from '@tanstack/react-router';
import {
  IconBell,
  IconBox,
  IconBraces,
  IconCalendarClock,
  IconGitBranch,
  IconKey,
  IconLayoutDashboard,
  IconPlaylist,
  IconServer,
  IconListTree,
  IconSettings,
  IconSitemap,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { useMemo } from 'react';
import { useHasTasks } from '../../features/projects/use-has-tasks.ts';
import { t } from '../../lib/i18n.ts';
import { lastView } from '../address/last-view.ts';
import { settingsRights, useMay } from '../session/access.ts';
import classes from './sidebar.module.css';
import { templatesPath } from '../address/template-address.ts';

const run = [
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
] as const;

export const resourceSections = {
  inventory: {
    to: '/project/$projectId/inventory',
    words: 'shell.inventory',
    shortcut: 'i',
    Icon: IconListTree,
  },
  hosts: { to: '/project/$projectId/hosts', words: 'shell.hosts', shortcut: 'h', Icon: IconServer },
  environment: {
    to: '/project/$projectId/environment',
    words: 'shell.environment',
    shortcut: 'e',
    Icon: IconBraces,
  },
  execution_environments: {
    to: '/project/$projectId/execution-environments',
    words: 'shell.execution_environments',
    shortcut: 'x',
    Icon: IconBox,
  },
  keys: { to: '/project/$projectId/keys', words: 'shell.keys', shortcut: 'k', Icon: IconKey },
  repositories: {
    to: '/project/$projectId/repositories',
    words: 'shell.repositories',
    shortcut: 'r',
    Icon: IconGitBranch,
  },
} as const;

export const teamSection = {
  to: '/project/$projectId/team',
  words: 'shell.team',
  shortcut: 'm',
  Icon: IconUsers,
} as const;

const project = [
  {
    to: '/project/$projectId/integrations',
    words: 'shell.integrations',
    shortcut: 'w',
    Icon: IconWebhook,
  },
  { to: '/project/$projectId/alerts', words: 'shell.alerts', shortcut: 'a', Icon: IconBell },
  teamSection,
  {
    to: '/project/$projectId/settings',
    words: 'dashboard.settings',
    shortcut: 'c',
    Icon: IconSettings,
  },
] as const;

const groups = [
  { name: 'run', sections: run },
  { name: 'resources', sections: Object.values(resourceSections) },
  { name: 'project', sections: project },
] as const;

type Section = (typeof groups)[number]['sections'][number];

const withoutTasks: readonly string[] = ['shell.dashboard', 'shell.team', 'dashboard.settings'];

/** The groups of sections that a user of the project sees; each has at least one section. */
function useSectionGroups(projectId: number | undefined) {
  const hasTasks = useHasTasks(projectId);
  const maySettings = useMay(projectId, ...settingsRights);
  return useMemo(() => {
    const isShown = ({ words }: Section) =>
      (hasTasks || withoutTasks.includes(words)) && (maySettings || words !== 'dashboard.settings');
    return groups
      .map(({ name, sections }) => ({ name, sections: sections.filter(isShown) }))
      .filter(({ sections }) => sections.length > 0);
  }, [hasTasks, maySettings]);
}

export function useSections(projectId: number | undefined): Section[] {
  const shown = useSectionGroups(projectId);
  return useMemo(() => shown.flatMap(({ sections }) => sections), [shown]);
}

const dashboard = '/project/$projectId/history';
const isDashboard = /^\/project\/\d+\/(?:history|workflow_runs|activity)\/?$/;
// The pages of runs belong to the section of workflows, but have other addresses.
const workflows = '/project/$projectId/workflows';
const isRun = /^\/project\/\d+\/workflow_runs\//;

const isOpen = (to: string, pathname: string): boolean =>
  (to === dashboard && isDashboard.test(pathname)) || (to === workflows && isRun.test(pathname));

export function ProjectSections({ projectId }: { projectId: number }) {
  return useSectionGroups(projectId).map(({ name, sections }) => (
    <div key={name} className={classes.group}>
      <span className={`smallest weight-600 soft ${classes.groupName}`}>
        {t(`shell.group_${name}`)}
      </span>
      {sections.map((section) => (
        <SectionLink key={section.to} projectId={projectId} section={section} />
      ))}
    </div>
  ));
}

function SectionLink({ projectId, section }: { projectId: number; section: Section }) {
  const { pathname } = useLocation();
  const { to, words, Icon } = section;
  if (words === 'shell.templates') return <TemplatesLink projectId={projectId} />;
  return (
    <Link
      to={to}
      params={{ projectId }}
      className={classes.entry}
      data-rail-tip={t(words)}
      activeOptions={{ includeSearch: false }}
      aria-current={isOpen(to, pathname) ? 'page' : undefined}
    >
      <Icon size={18} aria-hidden="true" />
      {t(words)}
    </Link>
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
      data-rail-tip={t('shell.templates')}
      aria-current={isHere ? 'page' : undefined}
    >
      <IconPlaylist size={18} aria-hidden="true" />
      {t('shell.templates')}
    </Link>
  );
}
