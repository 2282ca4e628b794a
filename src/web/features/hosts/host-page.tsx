import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Host, HostTask } from '#shared/api/hosts.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { duration } from '../../lib/time.ts';
import { cursorOf } from '../../ui/lists/cursors.ts';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Fact, Facts } from '../../ui/page/facts.tsx';
import { Section } from '../../ui/page/section.tsx';
import { DryRunBadge } from '../../ui/feedback/dry-run-badge.tsx';
import { column } from '../../resources/columns.ts';
import { ListLink, TemplateLink } from '../../resources/links.tsx';
import { HostFactsSection } from './host-facts.tsx';
import { OutcomeChip, ResultStrip } from './host-outcome.tsx';
import { hostQueries } from './hosts.queries.ts';
import classes from './host-list.module.css';
import { PagedTable, type PageAddress } from '../../resources/paged-table.tsx';
import { QueryPage } from '../../resources/query-page.tsx';

interface Props extends PageAddress {
  projectId: number;
  host: string;
  /** Whether the user may see the inventories of the host; guests may not. */
  seesInventories: boolean;
  renderTask: (taskId: number) => ReactNode;
}

export function HostPage({ seesInventories, ...props }: Props) {
  const { projectId, host } = props;
  const result = useQuery(hostQueries.one(projectId, host));
  const { data } = result;
  return (
    <QueryPage
      title={host}
      above={
        <Link to="/project/$projectId/hosts" params={{ projectId }}>
          {t('host.list')}
        </Link>
      }
      result={result}
    >
      <HostFacts host={data} renderTask={props.renderTask} />
      {seesInventories && (
        <Section title={t('host.inventories')}>
          {data?.inventories.length === 0 ? (
            <p className="soft">{t('host.no_inventory')}</p>
          ) : (
            <InventoryTable projectId={projectId} host={data} />
          )}
        </Section>
      )}
      <HostFactsSection {...props} />
      <Section title={t('host.history')}>
        <History {...props} />
      </Section>
    </QueryPage>
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

interface InventoryProps {
  projectId: number;
  host: Host | undefined;
}

function InventoryTable({ projectId, host }: InventoryProps) {
  return (
    <DataTable
      label={t('host.inventories')}
      columns={inventoryColumns(projectId)}
      rows={host?.inventories}
      rowKey={({ id }) => id}
      expectedRows={1}
    />
  );
}

const inventoryColumns = (projectId: number): Column<Host['inventories'][number]>[] => [
  column('name', t('inventory.content'), { wide: true }, ({ name }) => (
    <ListLink projectId={projectId} list="inventory" name={name} />
  )),
  column(
    'groups',
    t('inventory.preview.in_groups'),
    { wide: true },
    ({ groups }) => groups.join(', ') || '—',
  ),
];

function History({ projectId, host, trail, onTrail, renderTask }: Omit<Props, 'seesInventories'>) {
  return (
    <PagedTable
      result={useQuery(hostQueries.tasks(projectId, host, cursorOf(trail)))}
      trail={trail}
      onTrail={onTrail}
      label={t('host.history')}
      columns={columns(projectId, renderTask)}
      none={<p className="soft">{t('host.no_history')}</p>}
    />
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

const columns = (projectId: number, renderTask: Props['renderTask']): Column<HostTask>[] => [
  { key: 'task', title: t('task.column.task'), cell: ({ id }) => renderTask(id) },
  column(
    'template',
    t('template.one'),
    { wide: true, from: 'small' },
    ({ template_id: templateId, template_name: name }) => (
      <TemplateLink projectId={projectId} templateId={templateId} name={name} className="cut" />
    ),
  ),
  column('outcome', t('host.outcome.label'), {}, (task) => (
    <span className={`inline-flex wrap items-center gap-2-8 ${classes.run}`}>
      <OutcomeChip outcome={task.outcome} />
      {task.dry_run && <DryRunBadge />}
      <span className="soft white-space-normal">{countsOf(task)}</span>
    </span>
  )),
  column('start', t('task.column.start'), { from: 'small' }, ({ start }) => (
    <TimeAgo time={start} />
  )),
  column(
    'duration',
    t('task.column.duration'),
    { from: 'medium', align: 'end' },
    ({ duration_ms: time }) => duration(zeroTime, time, languageTag),
  ),
  column(
    'failure',
    t('host.first_failure'),
    { wide: true, from: 'medium' },
    ({ first_failure: first }) =>
      first ? (
        <span className="cut" title={first.message}>{`${first.task}: ${first.message}`}</span>
      ) : (
        '—'
      ),
  ),
];
