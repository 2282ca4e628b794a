import { Link } from '@tanstack/react-router';
import type { ProjectStats } from '#shared/api/stats.ts';
import { t } from '../../lib/i18n.ts';
import { HostLink } from '../../resources/links.tsx';
import { RankCard } from '../../ui/page/rank-card.tsx';

interface Props {
  projectId: number;
  stats: ProjectStats | undefined;
  limit: number;
}

/** Each template leads to its failed tasks in the history below. */
export function FailingTemplatesCard({ projectId, stats, limit }: Props) {
  const most = stats?.failing_templates[0]?.failed ?? 0;
  const from = stats?.days[0]?.day;
  return (
    <RankCard
      title={t('stats.failing_templates')}
      note={t('stats.failing_hint')}
      limit={limit}
      empty={t('stats.none_failed')}
      isAboutFailures
      entries={stats?.failing_templates.map(({ template_id: template, name, failed }) => ({
        key: template,
        value: t('stats.number', { count: failed }),
        share: failed / most,
        name: (
          <Link
            to="/project/$projectId/history"
            params={{ projectId }}
            search={({ days }) => ({ days, template, status: 'error' as const, from })}
            resetScroll={false}
            className="cut"
            title={name}
          >
            {name}
          </Link>
        ),
      }))}
    />
  );
}

export function FailingHostsCard({ projectId, stats, limit }: Props) {
  const most = stats?.failing_hosts[0]?.failed ?? 0;
  return (
    <RankCard
      title={t('stats.failing_hosts')}
      note={t('stats.failing_hint')}
      limit={limit}
      empty={t('stats.no_host_failed')}
      isAboutFailures
      entries={stats?.failing_hosts.map(({ host, failed }) => ({
        key: host,
        value: t('stats.number', { count: failed }),
        share: failed / most,
        name: <HostLink projectId={projectId} host={host} />,
      }))}
    />
  );
}
