import { useQuery } from '@tanstack/react-query';
import type { LoopState } from '#shared/api/system.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { TimeAgo, TimeAhead } from '../../lib/time-text.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Marked } from './figures-view.tsx';
import { systemQueries } from './system.queries.ts';

/** The maintenance jobs of this server, with the error of the last run of each. */
export function BackgroundJobs() {
  const { data } = useQuery(systemQueries.figures());
  if (!data) return null;
  return (
    <section className="pt-14" style={{ maxWidth: 1080 }} aria-label={t('health.loops')}>
      <DataTable
        label={t('health.loops')}
        columns={columns()}
        rows={data.loops}
        rowKey={({ name }) => name}
      />
    </section>
  );
}

const milliseconds = (count: number): string =>
  new Intl.NumberFormat(languageTag, { style: 'unit', unit: 'millisecond' }).format(count);

function Result({ last_run: lastRun, error }: LoopState) {
  if (error === null) return lastRun === null ? '—' : t('health.state.ok');
  return (
    <span className="break">
      <Marked hint={t('health.unusual')}>{t('health.loop_failed', { error })}</Marked>
    </span>
  );
}

const columns = (): Column<LoopState>[] => [
  {
    key: 'name',
    title: t('health.loops'),
    wide: true,
    cell: ({ name }) => t(`health.loop.${name}`),
  },
  { key: 'result', title: t('task.column.status'), cell: (loop) => <Result {...loop} /> },
  {
    key: 'last',
    title: t('workflow.last_run'),
    from: 'small',
    cell: ({ last_run: last }) => <TimeAgo time={last} />,
  },
  {
    key: 'duration',
    title: t('task.column.duration'),
    from: 'medium',
    cell: ({ duration_ms: duration }) => (duration === null ? '—' : milliseconds(duration)),
  },
  {
    key: 'next',
    title: t('schedule.next'),
    from: 'small',
    cell: ({ next_due: next }) => (next === null ? '—' : <TimeAhead time={next} />),
  },
];
