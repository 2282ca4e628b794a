import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { LoopState, SystemFigures } from '#shared/api/system.ts';
import { isNewerAnsible } from '#shared/tried-ansible.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { languageTag, t } from '../../lib/i18n.ts';
import { TimeAgo, TimeAhead } from '../../lib/time-text.tsx';
import { Card } from '../../ui/page/card.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { column } from '../../resources/columns.ts';
import { sizeWords as wordsIn } from './sizes.ts';
import { asideOnRunners, type FigureName, isUnusual } from './unusual.ts';
import { systemQueries } from './system.queries.ts';
import classes from './health-view.module.css';

const sizeWords = (bytes: number): string => wordsIn(bytes, languageTag);

/** Statistics of the server, each with its normal range and a remedy. */
export function Figures() {
  const { data, error, refetch, dataUpdatedAt } = useQuery(systemQueries.figures());
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  return (
    <Card title={t('health.figures')}>
      {data && (
        <dl className="column">
          {figuresOf(data).map(([name, value]) => (
            <Fact key={name} name={t(`health.figure.${name}`)} hint={hintOf(name, data)}>
              <Marked hint={isUnusual(name, data, dataUpdatedAt) && t('health.unusual')}>
                {value}
              </Marked>
            </Fact>
          ))}
        </dl>
      )}
    </Card>
  );
}

interface FactProps {
  name: string;
  hint?: string;
  children: ReactNode;
}

export function Fact({ name, hint, children }: FactProps) {
  return (
    <div className={`row between gap-16 border-top ${classes.fact}`}>
      <dt className="flex-none" style={{ maxWidth: '60%' }}>
        {name}
        {hint && <span className="block smaller soft">{hint}</span>}
      </dt>
      <dd className="min-w-0 text-end break">{children}</dd>
    </div>
  );
}

function figuresOf(figures: SystemFigures): [FigureName, ReactNode][] {
  const { disk, database, backups, queue, server } = figures;
  const engine = database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  const oldest = queue.oldest_waiting;
  return [
    [
      'disk',
      disk.free_bytes === null
        ? '—'
        : t('health.free_of', {
            free: sizeWords(disk.free_bytes),
            size: disk.size_bytes === null ? '—' : sizeWords(disk.size_bytes),
          }),
    ],
    ['database', `${sizeWords(database.size_bytes)}, ${engine} ${database.version.split(' ')[0]}`],
    [
      'backups',
      backups.last === null ? (
        t('health.no_backup')
      ) : (
        <span key="backups">
          <TimeAgo time={backups.last} />
          {backups.bytes !== null && `, ${sizeWords(backups.bytes)}`}
        </span>
      ),
    ],
    [
      'queue',
      <span key="queue">
        {t('stats.number', { count: queue.waiting })}
        {oldest !== null && (
          <span className="block smaller soft">
            {t('health.oldest')} <TimeAgo time={oldest} />
          </span>
        )}
      </span>,
    ],
    ['set_aside', <AsideFigure key="set_aside" figures={figures} />],
    ['running', t('stats.number', { count: queue.running })],
    ['to_confirm', t('stats.number', { count: queue.to_confirm })],
    ['memory', sizeWords(server.memory_bytes)],
    ['node', server.node],
    ['proxy', proxyWords(server.proxies)],
    ['zone_rules', server.zone_rules],
    ['started', <TimeAgo key="started" time={server.started} />],
  ];
}

/** Both proxies are mostly the same. */
const proxyWords = ({ http, https }: SystemFigures['server']['proxies']): string =>
  [...new Set([https, http])].filter((address) => address !== null).join(', ') || '—';

/** The size of what was set aside in the data folder of the server and of each remote runner. */
function AsideFigure({ figures }: { figures: SystemFigures }) {
  const { count, newest } = figures.set_aside;
  return (
    <span>
      {t('stats.number', { count })}
      {newest !== null && (
        <span className="block smaller soft">
          <TimeAgo time={newest} />
        </span>
      )}
      {asideOnRunners(figures).map(({ id, name, count: there, folder }) => (
        <span key={id} className="block smaller soft">
          {t('health.aside_on_runner', { name, number: there, folder })}
        </span>
      ))}
    </span>
  );
}

const hintOf = (name: FigureName, { disk, set_aside: aside }: SystemFigures): string =>
  t(`health.normal.${name}`, {
    folder: name === 'set_aside' ? aside.folder : disk.folder,
    low: sizeWords(disk.low_bytes),
  });

type RunnerFigures = SystemFigures['runners'][number];

export function RunnerFigures() {
  const { data } = useQuery(systemQueries.figures());
  if (!data) return null;
  return (
    <section className="pt-14" style={{ maxWidth: 1080 }} aria-label={t('admin.runners')}>
      <DataTable
        label={t('admin.runners')}
        columns={columnsOf(data.server.version)}
        rows={data.runners}
        rowKey={({ id }) => id}
      />
      <p className="small soft pt-8">{t('health.runners_hint')}</p>
    </section>
  );
}

/** "git version 2.47" becomes "2.47". */
const versionIn = (text: string): string =>
  text.split(/[ ()[\],]/).find((word) => /^\d+\./.test(word)) ?? '—';

/** Whether a runner has never registered, so that its statistics are unknown. */
const isNew = ({ version }: RunnerFigures): boolean => version === '';

function RunnerVersion({ version, ofServer }: { version: string; ofServer: string }) {
  const isOther = version !== ofServer;
  return <Marked hint={isOther && t('health.other_version')}>{version}</Marked>;
}

/** A value, with an icon if the hint says why it is unusual. */
function Marked({ hint, children }: { hint: string | false; children: ReactNode }) {
  if (hint === false) return children;
  return (
    <span className="weight-600 color-warning">
      <IconAlertTriangle
        style={{ marginRight: 4, verticalAlign: -2 }}
        size={15}
        aria-label={hint}
      />
      {children}
    </span>
  );
}

function columnsOf(ofServer: string): Column<RunnerFigures>[] {
  return [
    { key: 'name', title: t('admin.column.runner'), wide: true, cell: ({ name }) => name },
    column('version', t('health.version'), {}, (runner) =>
      isNew(runner) ? '—' : <RunnerVersion version={runner.version} ofServer={ofServer} />,
    ),
    column('memory', t('health.figure.memory'), { from: 'small' }, ({ memory_bytes: size }) =>
      size === null ? '—' : sizeWords(size),
    ),
    { key: 'node', title: 'Node', from: 'medium', cell: ({ node }) => node || '—' },
    { key: 'git', title: 'Git', from: 'small', cell: ({ git }) => versionIn(git) },
    column('ansible', t('health.ansible'), { from: 'small' }, ({ ansible }) =>
      isNewerAnsible(ansible)
        ? `${versionIn(ansible)} (${t('health.state.new')})`
        : versionIn(ansible),
    ),
    column('seen', t('health.seen'), { from: 'medium' }, (runner) =>
      isNew(runner) ? '—' : <TimeAgo time={runner.last_seen} />,
    ),
  ];
}

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
  column('name', t('health.loops'), { wide: true }, ({ name }) => t(`health.loop.${name}`)),
  { key: 'result', title: t('task.column.status'), cell: (loop) => <Result {...loop} /> },
  column('last', t('workflow.last_run'), { from: 'small' }, ({ last_run: last }) => (
    <TimeAgo time={last} />
  )),
  column(
    'duration',
    t('task.column.duration'),
    { from: 'medium', align: 'end' },
    ({ duration_ms: duration }) => (duration === null ? '—' : milliseconds(duration)),
  ),
  column('next', t('schedule.next'), { from: 'small' }, ({ next_due: next }) =>
    next === null ? '—' : <TimeAhead time={next} />,
  ),
];
