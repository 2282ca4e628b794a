import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { CursorPager } from '../../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../../ui/lists/cursors.ts';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import type { TaskFilter } from '../task-filter.ts';
import { TaskFilters } from './task-filters.tsx';
import { TaskTable } from './task-table.tsx';
import { taskQueries } from '../tasks.queries.ts';

interface Props {
  projectId: number;
  filter: TaskFilter;
  onFilter: (filter: TaskFilter) => void;
  trail: Trail;
  onTrail: (trail: Trail) => void;
  mayRun: boolean;
  emptyAction?: ReactNode;
}

/** The tasks of a project, the newest first; the websocket updates the newest page. */
export function ProjectHistory(props: Props) {
  const { projectId, filter, onFilter, trail, onTrail, mayRun } = props;
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...taskQueries.page(projectId, filter, cursorOf(trail)),
    // Keeps the old rows until the new ones arrive.
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  const isWhole = !trail && Object.values(filter).every((value) => value === undefined);
  const next = data?.next ?? null;
  const isEmpty = data?.items.length === 0;
  if (isEmpty && isWhole) {
    return (
      <EmptyState
        icon={<IconHistory size={24} />}
        title={t('task.none.title')}
        text={t('task.none.project')}
      >
        {props.emptyAction}
      </EmptyState>
    );
  }
  return (
    <>
      <TaskFilters projectId={projectId} filter={filter} onFilter={onFilter} />
      {isEmpty ? (
        <EmptyState
          icon={<IconSearch size={24} />}
          title={next === null ? t('history.nothing') : t('history.nothing_yet')}
        />
      ) : (
        <TaskTable
          label={t('task.history')}
          tasks={data?.items}
          withTemplate
          mayRun={mayRun}
          expectedRows={20}
        />
      )}
      <CursorPager
        trail={trail}
        onTrail={onTrail}
        next={next}
        isTurning={isPlaceholderData}
        total={!isEmpty && <Total projectId={projectId} filter={filter} />}
      />
    </>
  );
}

function Total({ projectId, filter }: { projectId: number; filter: TaskFilter }) {
  const { data } = useQuery({
    ...taskQueries.count(projectId, filter),
    placeholderData: keepPreviousData,
  });
  if (!data) return null;
  return t(data.is_whole ? 'history.total' : 'history.total_at_least', { count: data.count });
}
