import { Link } from '@tanstack/react-router';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import type { ProjectStats } from '#shared/api/stats.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { Card } from '../../ui/page/card.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { DayBars } from './day-bars.tsx';
import { type DayRange, RangeChoice } from './range-choice.tsx';
import { DayTable } from './day-table.tsx';
import {
  type Counts,
  dayWords,
  type Picked,
  type Result,
  results,
  totalsOf,
} from '../../lib/day-figures.ts';
import { ResultFill } from '../../ui/charts/result-fill.tsx';
import classes from './stats.module.css';

interface Props {
  stats: ProjectStats | undefined;
  /** Over how many days. */
  range: DayRange;
  /** The filter of the history below. */
  picked: Picked;
}

export function RunsCard({ stats, range, picked }: Props) {
  const [asTable, setAsTable] = useState(false);
  const [place, setPlace] = useState<number | null>(null);
  const shown = figuresOf(stats, asTable ? null : place);
  return (
    <Card
      title={t('stats.runs')}
      note={shown?.day && dayWords(shown.day, languageTag, true)}
      action={
        <span className="row gap-8">
          <RangeChoice days={range} />
          <IconButton
            label={asTable ? t('stats.as_chart') : t('stats.as_table')}
            icon={asTable ? <IconChartBar size={16} /> : <IconTable size={16} />}
            onClick={() => setAsTable(!asTable)}
          />
        </span>
      }
    >
      <Legend counts={shown?.counts} picked={picked} first={stats?.days[0]?.day} />
      <div style={asTable ? { height: 62 } : { minHeight: 62 }}>
        {stats && asTable && <DayTable days={stats.days} medians={stats.day_median_s} />}
        {stats && shown && !asTable && (
          <DayBars
            days={stats.days}
            medians={stats.day_median_s}
            picked={picked}
            onPoint={setPlace}
            median={shown.median}
          />
        )}
      </div>
    </Card>
  );
}

interface Figures {
  counts: Counts;
  median: number | null;
  /** Undefined: of all days. */
  day?: string;
}

/** The numbers of the day that is pointed at, or of all days. */
function figuresOf(stats: ProjectStats | undefined, place: number | null): Figures | undefined {
  const pointed = place === null ? undefined : stats?.days[place];
  if (!stats || place === null || !pointed) {
    return stats && { counts: totalsOf(stats.days), median: stats.median_s };
  }
  return { counts: pointed, median: stats.day_median_s[place] ?? null, day: pointed.day };
}

interface LegendProps {
  counts: Counts | undefined;
  picked: Picked;
  first: string | undefined;
}

/**
 * A click filters the history by the result, within the days of the chart unless days are chosen
 * already.
 */
function Legend({ counts, picked, first }: LegendProps) {
  const from = (picked.from ?? picked.to) ? picked.from : first;
  const partOf = (result: Result) =>
    picked.status === result ? { status: undefined } : { status: result, from };
  return (
    <ul className={`flex wrap small ${classes.legend}`}>
      {results.map((result) => (
        <li key={result}>
          <Link
            className={`row gap-6 rounded-4 selectable no-underline ${picked.status === result ? 'color-text' : 'soft'}`}
            to="."
            search={(search) => ({ ...search, before: undefined, ...partOf(result) })}
            resetScroll={false}
            // The router would mark a link without the filter as active too.
            activeOptions={{ exact: true }}
            aria-current={picked.status === result ? 'true' : undefined}
          >
            <ResultFill result={result} className={classes.swatch} />
            {t(`task.status.${result}`)}{' '}
            <strong className="weight-600 color-text numbers">
              {counts ? t('stats.number', { count: counts[result] }) : '–'}
            </strong>
          </Link>
        </li>
      ))}
    </ul>
  );
}
