import type { ProjectStats } from '#shared/api/stats.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { medianWords } from '../../lib/day-figures.ts';
import { TemplateLink } from '../../resources/links.tsx';
import { RankCard } from '../../ui/page/rank-card.tsx';

interface Props {
  projectId: number;
  stats: ProjectStats | undefined;
  limit: number;
}

export function SlowestCard({ projectId, stats, limit }: Props) {
  const longest = stats?.slowest[0]?.median_s || 1;
  return (
    <RankCard
      title={t('stats.slowest')}
      note={t('stats.slowest_hint')}
      limit={limit}
      empty={t('stats.no_success', { days: stats?.days.length ?? 0 })}
      entries={stats?.slowest.map(({ template_id: id, name, median_s, runs }) => ({
        key: id,
        share: median_s / longest,
        value: (
          <span title={t('stats.median_of', { count: runs })}>
            {medianWords(median_s, languageTag)}
          </span>
        ),
        name: <TemplateLink projectId={projectId} templateId={id} name={name} className="cut" />,
      }))}
    />
  );
}
