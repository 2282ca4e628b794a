import { type ReactNode, useId } from 'react';
import type { ProjectStats } from '#shared/api/stats.ts';
import { languageTag, useTranslation } from '../../lib/i18n.ts';
import { span } from '../../lib/time.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { percentOf, successRate, totalsOf } from './figures.ts';
import classes from './rate-card.module.css';

const percentFormat = new Intl.NumberFormat(languageTag, {
  style: 'percent',
  maximumFractionDigits: 1,
});

/** The success rate and the median duration. */
export function RateCard({ stats }: { stats: ProjectStats | undefined }) {
  const { t } = useTranslation();
  const totals = stats && totalsOf(stats.days);
  const rate = totals ? successRate(totals) : null;
  const median = stats?.median_s ?? null;
  return (
    <div className={classes.card}>
      <Figure
        title={t('stats.success_rate')}
        value={stats && (rate === null ? '—' : percentFormat.format(percentOf(rate) / 100))}
      >
        {totals && rate !== null
          ? t('stats.of_finished', {
              count: totals.success + totals.error,
              success: totals.success,
            })
          : t('stats.no_finished')}
      </Figure>
      <Figure
        title={t('stats.median')}
        value={stats && (median === null ? '—' : span(Math.round(median), languageTag))}
      >
        {t('stats.median_hint')}
      </Figure>
    </div>
  );
}

interface FigureProps {
  title: string;
  /** Undefined: not known yet. */
  value: string | undefined;
  children: ReactNode;
}

function Figure({ title, value, children }: FigureProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 className={classes.title} id={id}>
        {title}
      </h2>
      <p className={classes.value}>{value ?? <Skeleton width={90} height={20} />}</p>
      <p className={classes.caption}>{children}</p>
    </section>
  );
}
