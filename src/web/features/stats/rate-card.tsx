import { useId } from 'react';
import type { ProjectStats } from '#shared/api/stats.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { medianWords, percentOf, successRate, totalsOf } from '../../lib/day-figures.ts';
import classes from './rate-card.module.css';

const percentFormat = new Intl.NumberFormat(languageTag, {
  style: 'percent',
  maximumFractionDigits: 1,
});

export function RateCard({ stats }: { stats: ProjectStats | undefined }) {
  const totals = stats && totalsOf(stats.days);
  const rate = totals ? successRate(totals) : null;
  const median = stats?.median_s ?? null;
  const wait = stats?.wait ?? null;
  return (
    <div className="column justify-center gap-8 border rounded-8" style={{ padding: '8px 16px' }}>
      <Figure
        title={t('stats.success_rate')}
        value={stats && (rate === null ? '—' : percentFormat.format(percentOf(rate) / 100))}
        caption={
          totals && rate !== null
            ? t('stats.of_finished', { success: totals.success, error: totals.error })
            : t('stats.no_finished')
        }
      />
      <Figure
        title={t('stats.median')}
        value={stats && medianWords(median, languageTag)}
        caption={t('stats.median_hint')}
      />
      <Figure
        title={t('stats.wait')}
        value={stats && medianWords(wait?.median_s ?? null, languageTag)}
        caption={
          wait
            ? t('stats.wait_hint', { most: medianWords(wait.p95_s, languageTag) })
            : t('stats.no_wait')
        }
      />
    </div>
  );
}

interface FigureProps {
  title: string;
  /** Undefined if it is not known yet. */
  value: string | undefined;
  caption: string;
}

function Figure({ title, value, caption }: FigureProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className={`flex between baseline ${classes.figure}`}>
        <h2 className="small weight-600" id={id}>
          {title}
        </h2>
        <p className={`flex-none weight-600 numbers ${classes.value}`}>
          {value ?? <Skeleton width={60} height={16} />}
        </p>
      </div>
      <p className={`small soft ${classes.caption}`}>{caption}</p>
    </section>
  );
}
