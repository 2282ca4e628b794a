import { Link } from '@tanstack/react-router';
import {
  IconBell,
  IconCalendarClock,
  IconKey,
  IconLayoutDashboard,
  IconPlaylist,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { useTranslation } from '../lib/i18n.ts';
import classes from './sidebar.module.css';

/** The sections of a project, in the order of the sidebar; `g` and the shortcut go there. */
export const sections = [
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
    to: '/project/$projectId/schedules',
    words: 'shell.schedules',
    shortcut: 's',
    Icon: IconCalendarClock,
  },
  { to: '/project/$projectId/keys', words: 'shell.keys', shortcut: 'k', Icon: IconKey },
  {
    to: '/project/$projectId/integrations',
    words: 'shell.integrations',
    shortcut: 'w',
    Icon: IconWebhook,
  },
  { to: '/project/$projectId/alerts', words: 'shell.alerts', shortcut: 'a', Icon: IconBell },
  { to: '/project/$projectId/team', words: 'shell.team', shortcut: 'm', Icon: IconUsers },
] as const;

export function ProjectSections({ projectId }: { projectId: number }) {
  const { t } = useTranslation();
  return sections.map(({ to, words, Icon }) => (
    <Link
      key={to}
      to={to}
      params={{ projectId }}
      className={classes.entry}
      activeOptions={{ includeSearch: false }}
    >
      <Icon size={18} aria-hidden="true" />
      {t(words)}
    </Link>
  ));
}
