import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Host, HostTask } from '#shared/api/hosts.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { errorWords } from '../../lib/error-words.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { duration } from '../../lib/time.ts';
import { CursorPager } from '../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../ui/lists/cursors.ts';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Fact, Facts } from '../../ui/page/facts.tsx';
import { Section } from '../../ui/page/section.tsx';
import { ResourcePage } from '../../ui/page/resource-page.tsx';
import { HostFactsSection } from './host-facts.tsx';
import { DryRunBadge } from '../../ui/feedback/dry-run-badge.tsx';
import { OutcomeChip, ResultStrip } from './host-outcome.tsx';
import classes from './host-list.module.css';
import { hostQueries } from './hosts.queries.ts';

interface Props {
  projectId: number;
  host: string;
  /** Whether the user may see the inventories of the host; guests may not. */
  seesInventories: boolean;
  trail: Trail;
  onTrail: (trail: Trail) => void;
  renderTask: (taskId: number) => ReactNode;
}

export function HostPage({ seesInventories, ...props }: Props) {
  const { projectId, host } = props;
  const { data, error, refetch } = useQuery(hostQueries.one(projectId, host));
  return (
    <ResourcePage
      title={host}
      above={
        <Link to="/project/$projectId/hosts" params={{ projectId }}>
          {t('host.list')}
        </Link>
      }
      failure={error && !data ? errorWords(error) : null}
      onRetry={() => void refetch()}
    >
      <HostFacts host={data} renderTask={props.renderTask} />
      {seesInventories && (
        <Section title={t('host.inventories')}>
          {data?.inventories.length === 0 ? (
            <p className="soft">{t('host.no_inventory')}</p>
          ) : (
            <InventoryTable host={data} />
          )}
        </Section>
      )}
      <HostFactsSection {...props} />
      <Section title={t('host.history')}>
        <History {...props} />
      </Section>
    </ResourcePage>
  );
}

function HostFacts({
  host,
  renderTask,
}: {
  host: Host | undefined;
  renderTask: Props['renderTask'];
}) {
  const run = host?.last_run;
  const failure = host?.last_failure;
  return (
    <Facts isLoading={!host}>
      <Fact name={t('host.last_run')}>
        {host && (run ? <RunState run={run} renderTask={renderTask} /> : t('host.outcome.none'))}
      </Fact>
      <Fact name={t('host.results')}>{host && <ResultStrip results={host.results} />}</Fact>
      <Fact name={t('host.last_failure')}>
        {host && (failure ? <RunState run={failure} renderTask={renderTask} /> : '—')}
      </Fact>
      {failure?.first_failure && (
        <Fact name={failure.first_failure.task} wide>
          {failure.first_failure.message}
        </Fact>
      )}
    </Facts>
  );
}

function RunState({
  run,
  renderTask,
}: {
  run: NonNullable<Host['last_run']>;
  renderTask: Props['renderTask'];
}) {
  return (
    <span className={`inline-flex wrap items-center gap-2-8 ${classes.run}`}>
      {renderTask(run.task_id)}
      <OutcomeChip outcome={run.outcome} />
      {run.dry_run && <DryRunBadge />}
      <span className="soft">
        <TimeAgo time={run.end} />
      </span>
    </span>
  );
}

function InventoryTable({ host }: { host: Host | undefined }) {
  return (
    <DataTable
      label={t('host.inventories')}
      columns={[
        { key: 'name', title: t('inventory.content'), wide: true, cell: ({ name }) => name },
        {
          key: 'groups',
          title: t('inventory.preview.in_groups'),
          wide: true,
          cell: ({ groups }) => groups.join(', ') || '—',
        },
      ]}
      rows={host?.inventories}
      rowKey={({ id }) => id}
      expectedRows={1}
    />
  );
}

function History({ projectId, host, trail, onTrail, renderTask }: Omit<Props, 'seesInventories'>) {
  const before = cursorOf(trail);
  const { data, error, refetch } = useQuery(hostQueries.tasks(projectId, host, before));
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (data?.items.length === 0 && !trail) return <p className="soft">{t('host.no_history')}</p>;
  return (
    <>
      <DataTable
        label={t('host.history')}
        columns={columns(renderTask)}
        rows={data?.items}
        rowKey={({ id }) => id}
      />
      <CursorPager trail={trail} onTrail={onTrail} next={data?.next ?? null} />
    </>
  );
}

// A duration is formatted as the time since zero.
const zeroTime = new Date(0).toISOString();

const counts = ['ok', 'changed', 'unreachable', 'failed', 'skipped', 'rescued', 'ignored'] as const;

/** The numbers of Ansible tasks on the host by outcome, without zeros. */
const countsOf = (task: HostTask): string =>
  counts
    .filter((name) => task[name] > 0)
    .map((name) => `${t(`task.hosts.${name}`)}: ${task[name]}`)
    .join(' · ');

const columns = (renderTask: Props['renderTask']): Column<HostTask>[] => [
  { key: 'task', title: t('task.column.task'), cell: ({ id }) => renderTask(id) },
  {
    key: 'template',
    title: t('template.one'),
    wide: true,
    from: 'small',
    cell: ({ template_name: name }) => (
      <span className="cut" title={name}>
        {name}
      </span>
    ),
  },
  {
    key: 'outcome',
    title: t('host.outcome.label'),
    cell: (task) => (
      <span className={`inline-flex wrap items-center gap-2-8 ${classes.run}`}>
        <OutcomeChip outcome={task.outcome} />
        {task.dry_run && <DryRunBadge />}
        <span className="soft white-space-normal">{countsOf(task)}</span>
      </span>
    ),
  },
  {
    key: 'start',
    title: t('task.column.start'),
    from: 'small',
    cell: ({ start }) => <TimeAgo time={start} />,
  },
  {
    key: 'duration',
    title: t('task.column.duration'),
    from: 'medium',
    cell: ({ duration_ms: time }) => duration(zeroTime, time, languageTag),
  },
  {
    key: 'failure',
    title: t('host.first_failure'),
    wide: true,
    from: 'medium',
    cell: ({ first_failure: first }) =>
      first ? (
        <span className="cut" title={first.message}>{`${first.task}: ${first.message}`}</span>
      ) : (
        '—'
      ),
  },
];
