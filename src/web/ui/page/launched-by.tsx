import { Link } from '@tanstack/react-router';
import { IconCalendarClock, IconSitemap, IconWebhook } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';

interface Launcher {
  kind: 'workflow' | 'schedule' | 'integration';
  id: number;
  /** Null after a deletion. */
  name: string | null;
}

interface Props {
  projectId: number;
  /** Null if no user launched it. */
  user: string | null;
  launcher: Launcher | null;
}

/** The user, schedule, integration or workflow that launched something. */
export function LaunchedBy({ projectId, user, launcher }: Props) {
  if (launcher === null) return user ?? '—';
  return (
    <span
      className="inline-flex baseline gap-8 min-w-0 max-w-full"
      style={{ verticalAlign: 'bottom' }}
    >
      <LauncherLink projectId={projectId} launcher={launcher} />
      {user !== null && <span className="soft cut">{user}</span>}
    </span>
  );
}

const icons = {
  workflow: IconSitemap,
  schedule: IconCalendarClock,
  integration: IconWebhook,
};

const pages: Record<Launcher['kind'], string> = {
  workflow: 'workflow_runs',
  schedule: 'schedules',
  integration: 'integration',
};

function LauncherLink({ projectId, launcher }: Omit<Props, 'user'> & { launcher: Launcher }) {
  const { kind, id, name } = launcher;
  // A deleted launcher has no name and no page.
  if (name === null) return t(`launched_by.${kind}_gone`, { id });
  const Icon = icons[kind];
  const to: string = `/project/${projectId}/${pages[kind]}/${id}`;
  const words = t(`launched_by.${kind}`, { name });
  return (
    <Link
      to={to}
      className="inline-flex items-center gap-4 min-w-0"
      aria-label={words}
      title={words}
    >
      <Icon size={14} aria-hidden="true" />
      <span className="cut">{name}</span>
    </Link>
  );
}
