import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { HostFacts } from '#shared/api/hosts.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Section } from '../../ui/page/section.tsx';
import { column } from '../../resources/columns.ts';
import { hostQueries } from './hosts.queries.ts';
import classes from './host-facts.module.css';

interface Props {
  projectId: number;
  host: string;
  renderTask: (taskId: number) => ReactNode;
}

/** The facts that runs have reported for a host, and their changes. */
export function HostFactsSection({ projectId, host, renderTask }: Props) {
  const { data, error, refetch } = useQuery(hostQueries.facts(projectId, host));
  return (
    <>
      <Section title={t('host.facts')} actions={<LastRun run={data?.told} task={renderTask} />}>
        {error && !data ? (
          <QueryFailure error={error} refetch={refetch} />
        ) : (
          <KnownFacts data={data} renderTask={renderTask} />
        )}
      </Section>
      {data && data.facts.length > 0 && (
        <Section title={t('host.fact_changes')}>
          <Changes changes={data.changes} renderTask={renderTask} />
        </Section>
      )}
    </>
  );
}

interface LastRunProps {
  run: HostFacts['told'] | undefined;
  task: Props['renderTask'];
}

function LastRun({ run, task }: LastRunProps) {
  if (!run) return null;
  return (
    <span className="inline-flex wrap items-center gap-2-8 soft">
      {t('host.facts_told')} <Run run={run} renderTask={task} />
    </span>
  );
}

type Run = NonNullable<HostFacts['told']>;

function Run({ run, renderTask }: { run: Run; renderTask: Props['renderTask'] }) {
  return (
    <span className="inline-flex wrap items-center gap-2-8">
      {renderTask(run.task_id)}
      <span className="soft">
        <TimeAgo time={run.time} />
      </span>
    </span>
  );
}

interface KnownProps {
  data: HostFacts | undefined;
  renderTask: Props['renderTask'];
}

function KnownFacts({ data, renderTask }: KnownProps) {
  if (data?.names.length === 0) return <p className="soft">{t('host.facts_off')}</p>;
  if (data?.facts.length === 0) return <p className="soft">{t('host.no_facts')}</p>;
  return (
    <DataTable
      label={t('host.facts')}
      columns={factColumns(renderTask)}
      rows={data?.facts}
      rowKey={({ name }) => name}
    />
  );
}

const factColumns = (renderTask: Props['renderTask']): Column<HostFacts['facts'][number]>[] => [
  column('name', t('host.fact'), { from: 'small' }, ({ name }) => <code title={name}>{name}</code>),
  column('value', t('host.fact_value'), { wide: true }, ({ name, value, since }) => (
    <span className={`grid gap-2 ${classes.fact}`}>
      <code className="weight-600 narrow-only">{name}</code>
      <Value value={value} />
      <span className="narrow-only">
        <Run run={since} renderTask={renderTask} />
      </span>
    </span>
  )),
  column('since', t('host.fact_since'), { from: 'small' }, ({ since }) => (
    <Run run={since} renderTask={renderTask} />
  )),
];

const Value = ({ value }: { value: string }) => (
  <span className="mono break white-space-normal">{value}</span>
);

interface ChangesProps {
  changes: HostFacts['changes'];
  renderTask: Props['renderTask'];
}

function Changes({ changes, renderTask }: ChangesProps) {
  const rows = changes.flatMap(({ facts, ...run }) => facts.map((fact) => ({ run, ...fact })));
  if (rows.length === 0) return <p className="soft">{t('host.no_fact_changes')}</p>;
  return (
    <DataTable
      label={t('host.fact_changes')}
      columns={changeColumns(renderTask)}
      rows={rows}
      rowKey={({ run, name }) => `${run.task_id} ${name}`}
    />
  );
}

interface ChangeRow {
  run: Run;
  name: string;
  before: string;
  after: string;
}

const changeColumns = (renderTask: Props['renderTask']): Column<ChangeRow>[] => [
  column('run', t('host.fact_run'), {}, ({ run }) => <Run run={run} renderTask={renderTask} />),
  column(
    'change',
    `${t('host.fact_before')} → ${t('host.fact_after')}`,
    { wide: 'most' },
    ({ name, before, after }) => (
      <span className={`grid gap-2 ${classes.fact}`}>
        <code>{name}</code>
        <span className="flex wrap gap-2-8">
          <del className="min-w-0" style={{ textDecoration: 'none' }}>
            <Value value={before} />
          </del>
          <span aria-hidden="true">{'→'}</span>
          <ins className="min-w-0">
            <Value value={after} />
          </ins>
        </span>
      </span>
    ),
  ),
];
