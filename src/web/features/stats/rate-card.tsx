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
  return (
    <div className="column justify-center gap-8 border rounded-8" style={{ padding: '8px 16px' }}>
      <Figure title={t('stats.success_rate')} {...(stats && rateOf(stats))} />
      <Figure
        title={t('stats.median')}
        value={stats && medianWords(stats.median_s, languageTag)}
        caption={t('stats.median_hint')}
      />
      <Figure title={t('stats.wait')} {...(stats && waitOf(stats))} />
    </div>
  );
}

function rateOf({ days }: ProjectStats): { value: string; caption: string } {
  const { success, error, stopped } = totalsOf(days);
  const rate = successRate({ success, error, stopped });
  if (rate === null) return { value: '—', caption: t('stats.no_finished') };
  return {
    value: percentFormat.format(percentOf(rate) / 100),
    caption: t('stats.of_finished', { success, error }),
  };
}

function waitOf({ wait }: ProjectStats): { value: string; caption: string } {
  if (!wait) return { value: '—', caption: t('stats.no_wait') };
  return {
    value: medianWords(wait.median_s, languageTag),
    caption: t('stats.wait_hint', { most: medianWords(wait.p95_s, languageTag) }),
  };
}

interface FigureProps {
  title: string;
  /** Undefined while it loads. */
  value?: string | undefined;
  caption?: string;
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
      <p className={`small soft ${classes.caption}`}>
        {caption ?? <Skeleton width={120} height={12} />}
      </p>
    </section>
  );
}
