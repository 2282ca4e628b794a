import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Template } from '#shared/api/templates.ts';
import { languageTag, t } from '../../../lib/i18n.ts';
import { medianWords, percentOf } from '../../../lib/day-figures.ts';
import { TimeAhead } from '../../../lib/time-text.tsx';
import { lastRunsQuery } from '../last-runs.queries.ts';
import { RunStrip } from '../run-strip.tsx';
import classes from './run-summary.module.css';

/** The last runs as bars, with their median and success rate, and the next scheduled run. */
export function RunSummary({ template }: { template: Template }) {
  const { data } = useQuery(lastRunsQuery(template));
  if (data?.runs.length === 0) return null;
  const rate = data?.success_rate ?? null;
  const percent = { style: 'percent', maximumFractionDigits: 1 } as const;
  const words =
    rate === null ? '—' : new Intl.NumberFormat(languageTag, percent).format(percentOf(rate) / 100);
  return (
    <section className={`flex wrap items-end ${classes.summary}`} aria-labelledby="last-runs">
      <div className={classes.strip}>
        <h2 id="last-runs" className="small weight-600 soft">
          {t('template.last_runs')}
        </h2>
        <RunStrip template={template} height={56} />
      </div>
      <dl className="flex wrap gap-4-20">
        <Figure name={t('stats.median')}>
          {data ? medianWords(data.median_s, languageTag) : ''}
        </Figure>
        <Figure name={t('stats.success_rate')}>{words}</Figure>
        <Figure name={t('stats.next')}>
          {data?.next_run ? <TimeAhead time={data.next_run} /> : '—'}
        </Figure>
      </dl>
    </section>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="small soft">{name}</dt>
      <dd className="weight-600 numbers">{children}</dd>
    </div>
  );
}
