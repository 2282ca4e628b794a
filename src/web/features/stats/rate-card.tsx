import type { ProjectStats } from '#shared/api/stats.ts';
import { languageTag, useTranslation } from '../../lib/i18n.ts';
import { span } from '../../lib/time.ts';
import { Bone } from '../../ui/bones.tsx';
import { Card } from '../../ui/card.tsx';
import { percentOf, successRate, totalsOf } from './figures.ts';
import classes from './stats.module.css';

const percentFormat = new Intl.NumberFormat(languageTag, {
  style: 'percent',
  maximumFractionDigits: 1,
});

/** The two numbers that people look for first. */
export function RateCard({ stats }: { stats: ProjectStats | undefined }) {
  const { t } = useTranslation();
  const totals = stats && totalsOf(stats.days);
  const rate = totals ? successRate(totals) : null;
  return (
    <Card title={t('stats.success_rate')}>
      <p className={classes.figure}>
        {stats ? (
          rate === null ? (
            '—'
          ) : (
            percentFormat.format(percentOf(rate) / 100)
          )
        ) : (
          <Bone width={90} height={24} />
        )}
      </p>
      <p className={classes.caption}>
        {totals && rate !== null
          ? t('stats.of_finished', {
              count: totals.success + totals.error,
              success: totals.success,
            })
          : t('stats.no_finished')}
      </p>
      <h3 className={classes.second}>{t('stats.median')}</h3>
      <p className={classes.figure}>
        {stats ? (
          stats.median_s === null ? (
            '—'
          ) : (
            span(Math.round(stats.median_s), languageTag)
          )
        ) : (
          <Bone width={90} height={24} />
        )}
      </p>
      <p className={classes.caption}>{t('stats.median_hint')}</p>
    </Card>
  );
}
