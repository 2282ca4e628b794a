import { useComputedColorScheme } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { DayStats } from '#shared/api/stats.ts';
import { languageTag, useTranslation } from '../../lib/i18n.ts';
import { Card } from '../../ui/page/card.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { DayTable } from './day-table.tsx';
import { type Counts, dayWords, results, sumOf, totalsOf } from './figures.ts';
import classes from './stats.module.css';

const RunsPlot = lazy(async () => {
  const { RunsPlot: component } = await import('./runs-plot.tsx');
  return { default: component };
});

const height = 150;

/** How many runs ended on each day, by how. */
export function RunsCard({ days }: { days: DayStats[] | undefined }) {
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  const [place, setPlace] = useState<number | null>(null);
  const pointed = place === null || asTable ? undefined : days?.[place];
  const totals = days && totalsOf(days);
  const isEmpty = totals !== undefined && sumOf(totals) === 0;
  return (
    <Card
      title={t('stats.runs')}
      note={pointed ? dayWords(pointed.day, languageTag, true) : t('stats.last_days')}
      action={
        !isEmpty && (
          <IconButton
            label={asTable ? t('stats.as_chart') : t('stats.as_table')}
            icon={asTable ? <IconChartBar size={16} /> : <IconTable size={16} />}
            onClick={() => setAsTable(!asTable)}
          />
        )
      }
    >
      <Legend counts={pointed ?? totals} />
      <div className={classes.plot}>
        {isEmpty && <p className={classes.none}>{t('stats.no_runs')}</p>}
        {days && !isEmpty && <Picture days={days} asTable={asTable} onPoint={setPlace} />}
      </div>
    </Card>
  );
}

function Legend({ counts }: { counts: Counts | undefined }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.legend}>
      {results.map((result) => (
        <li key={result} data-result={result}>
          {t(`task.status.${result}`)}{' '}
          <strong className="numbers">
            {counts ? t('stats.number', { count: counts[result] }) : '–'}
          </strong>
        </li>
      ))}
    </ul>
  );
}

interface PictureProps {
  days: DayStats[];
  asTable: boolean;
  onPoint: (place: number | null) => void;
}

function Picture({ days, asTable, onPoint }: PictureProps) {
  // The chart reads its colours once, so a new theme needs a new chart.
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  if (asTable) return <DayTable days={days} />;
  return (
    <Suspense>
      <RunsPlot key={scheme} days={days} height={height} onPoint={onPoint} />
    </Suspense>
  );
}
