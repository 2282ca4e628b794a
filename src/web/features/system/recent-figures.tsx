import { useQuery } from '@tanstack/react-query';
import { IconChartLine, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import { MAX_RECENT_FIGURES, type RecentFigures as Sample } from '#shared/api/system.ts';
import { languageTag, t, timeTag } from '../../lib/i18n.ts';
import { clockTime } from '../../lib/time.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Line } from '../../ui/charts/line.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/page/card.tsx';
import { sizeWords } from './sizes.ts';
import { systemQueries } from './system.queries.ts';
import classes from './recent-figures.module.css';

interface Figure {
  name: string;
  valueOf: (sample: Sample) => number | null;
  wordsOf: (value: number) => string;
}

const bytes = (value: number): string => sizeWords(value, languageTag);

const figures = (): Figure[] => [
  {
    name: t('health.figure.memory'),
    valueOf: ({ memory_bytes: memory }) => memory,
    wordsOf: bytes,
  },
  {
    name: t('health.figure.queue'),
    valueOf: ({ waiting }) => waiting,
    wordsOf: (count) => t('stats.number', { count }),
  },
  { name: t('health.recent.free'), valueOf: ({ free_bytes: free }) => free, wordsOf: bytes },
];

/** Memory, queue and disk of the last hour, as lines or as a table. */
export function RecentFigures() {
  const { data } = useQuery(systemQueries.figures());
  const [asTable, setAsTable] = useState(false);
  return (
    <Card
      title={t('health.recent.title')}
      action={
        <IconButton
          label={asTable ? t('stats.as_chart') : t('stats.as_table')}
          icon={asTable ? <IconChartLine size={16} /> : <IconTable size={16} />}
          onClick={() => setAsTable(!asTable)}
        />
      }
    >
      {data && asTable && <SampleTable samples={data.recent} />}
      {!asTable && (
        <ul className={`grid ${classes.figures}`}>
          {figures().map((figure) => (
            <FigureLine key={figure.name} {...figure} samples={data?.recent} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function FigureLine({
  name,
  valueOf,
  wordsOf,
  samples,
}: Figure & { samples: Sample[] | undefined }) {
  const values = samples?.map(valueOf) ?? [];
  const known = values.filter((value) => value !== null);
  const last = values.at(-1) ?? null;
  return (
    <li className="min-w-0">
      <p className="flex wrap between baseline gap-2-8 small">
        <span>{name}</span>
        <strong className="weight-600 numbers">
          {samples ? last === null ? '—' : wordsOf(last) : <Skeleton width={60} />}
        </strong>
      </p>
      <Line values={values} room={MAX_RECENT_FIGURES} height={32} />
      <p className="smaller soft numbers" style={{ minHeight: '1lh' }}>
        {known.length > 0 &&
          t('health.recent.range', {
            min: wordsOf(Math.min(...known)),
            max: wordsOf(Math.max(...known)),
          })}
      </p>
    </li>
  );
}

function SampleTable({ samples }: { samples: Sample[] }) {
  const columns = figures();
  return (
    <div
      className={`overflow-auto ${classes.scroll}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by the keyboard
      tabIndex={0}
    >
      <table className={`w-full small ${classes.table}`} aria-label={t('health.recent.title')}>
        <thead>
          <tr>
            <th scope="col">{t('health.recent.time')}</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {samples.toReversed().map((sample) => (
            <tr key={sample.time}>
              <th scope="row">{clockTime(sample.time, timeTag())}</th>
              {columns.map(({ name, valueOf, wordsOf }) => {
                const value = valueOf(sample);
                return (
                  <td key={name} className="numbers">
                    {value === null ? '—' : wordsOf(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
