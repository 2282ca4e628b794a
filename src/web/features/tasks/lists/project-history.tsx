import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { errorWords } from '../../../lib/error-words.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { CursorPager } from '../../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../../ui/lists/cursors.ts';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Failure } from '../../../ui/feedback/failure.tsx';
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
  /** What an empty history offers to do. */
  emptyAction?: ReactNode;
}

/**
 * The tasks of a project, the newest first; the newest page is kept up to date by the websocket.
 */
export function ProjectHistory(props: Props) {
  const { projectId, filter, onFilter, trail, onTrail, mayRun } = props;
  const { t } = useTranslation();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...taskQueries.page(projectId, filter, cursorOf(trail)),
    // Another page or filter: the rows stay until the new ones are there.
    placeholderData: keepPreviousData,
  });
  if (error && !data) {
    return <Failure message={errorWords(error)} onRetry={() => void refetch()} />;
  }
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
      <CursorPager trail={trail} onTrail={onTrail} next={next} isTurning={isPlaceholderData} />
    </>
  );
}
