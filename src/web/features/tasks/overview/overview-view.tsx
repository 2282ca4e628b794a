import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { MAX_OVERVIEW_TASKS, type OverviewTask } from '#shared/api/overview.ts';
import { overviewQueries } from './overview.queries.ts';
import { type Kind, pinColumns, taskColumns } from './overview-columns.tsx';
import { ProjectCards } from './project-cards.tsx';
import { WaitingList } from './waiting-list.tsx';

/** Few of each list, so that all lists fit on the screen. */
const shownAtFirst = 5;

interface Props {
  renderAvatar: (project: { id: number; name: string }) => ReactNode;
}

export function OverviewView({ renderAvatar }: Props) {
  const { data, error, refetch } = useQuery(overviewQueries.tasks());
  const { data: approvals = [] } = useQuery(overviewQueries.approvals());
  const { data: projects } = useQuery(overviewQueries.projects());
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  const waiting = data?.to_confirm ?? [];
  return (
    <>
      {waiting.length + approvals.length > 0 && (
        <WaitingList tasks={waiting} approvals={approvals} />
      )}
      <ProjectCards data={projects} renderAvatar={renderAvatar} />
      <Tasks
        title={t('overview.failed')}
        tasks={data?.failed}
        none={t('overview.none_failed')}
        kind="failed"
      />
      <Tasks
        title={t('overview.active')}
        tasks={data?.active}
        none={t('stats.nothing_now')}
        kind="active"
      />
      <Pins />
    </>
  );
}

interface TasksProps {
  title: string;
  tasks: OverviewTask[] | undefined;
  /** The text of an empty list. */
  none: string;
  kind: Kind;
}

function Tasks({ title, tasks, none, kind }: TasksProps) {
  const [isWhole, setWhole] = useState(false);
  const rest = isWhole || !tasks ? 0 : tasks.length - shownAtFirst;
  return (
    <Section title={title}>
      {tasks?.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <DataTable
          label={title}
          columns={taskColumns(kind)}
          rows={isWhole ? tasks : tasks?.slice(0, shownAtFirst)}
          rowKey={({ id }) => id}
          expectedRows={3}
        />
      )}
      {rest > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {t('stats.more', { count: rest })}
        </Button>
      )}
      {isWhole && tasks?.length === MAX_OVERVIEW_TASKS && (
        <p className="soft">{t('stats.many_more')}</p>
      )}
    </Section>
  );
}

function Pins() {
  const { data } = useQuery(overviewQueries.livePins());
  return (
    <Section title={t('overview.pins')}>
      {data?.length === 0 ? (
        <p className="soft">{t('overview.none_pinned')}</p>
      ) : (
        <DataTable
          label={t('overview.pins')}
          columns={pinColumns()}
          rows={data}
          rowKey={({ template_id: id }) => id}
          expectedRows={3}
        />
      )}
    </Section>
  );
}
