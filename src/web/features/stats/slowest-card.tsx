import { Link } from '@tanstack/react-router';
import type { ProjectStats } from '#shared/api/stats.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { medianWords } from '../../lib/day-figures.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/page/card.tsx';
import classes from './stats.module.css';

interface Props {
  projectId: number;
  slowest: ProjectStats['slowest'] | undefined;
}

export function SlowestCard({ projectId, slowest }: Props) {
  const longest = slowest?.[0]?.median_s ?? 0;
  return (
    <Card title={t('stats.slowest')} note={t('stats.slowest_hint')}>
      {slowest?.length === 0 && <p className="small soft">{t('stats.no_success')}</p>}
      <ul className="column gap-8">
        {slowest?.map(({ template_id: id, name, median_s, runs }) => (
          <li
            key={id}
            className="grid baseline"
            style={{ gridTemplateColumns: 'minmax(0, 1fr) auto', gap: '1px 10px' }}
          >
            <Link
              to="/project/$projectId/templates/$templateId"
              params={{ projectId, templateId: id }}
              className="cut"
              title={name}
            >
              {name}
            </Link>
            <span className="numbers" title={t('stats.median_of', { count: runs })}>
              {medianWords(median_s, languageTag)}
            </span>
            <meter
              className={`w-full full-row ${classes.bar}`}
              aria-hidden="true"
              min={0}
              max={longest || 1}
              value={median_s}
            />
          </li>
        )) ??
          [0, 1, 2].map((key) => (
            <li key={key}>
              <Skeleton width="80%" />
            </li>
          ))}
      </ul>
    </Card>
  );
}
