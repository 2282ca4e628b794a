import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconListDetails, IconSearch } from '@tabler/icons-react';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t } from '../../lib/i18n.ts';
import { CursorPager } from '../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../ui/lists/cursors.ts';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { eventColumns } from './event-columns.tsx';
import type { EventFilter } from './event-filter.ts';
import { EventFilters } from './event-filters.tsx';
import { eventQueries } from './events.queries.ts';

interface Props {
  /** Missing for the events of all projects. */
  projectId?: number;
  filter: EventFilter;
  onFilter: (filter: EventFilter) => void;
  trail: Trail;
  onTrail: (trail: Trail) => void;
}

export function EventList({ projectId, filter, onFilter, trail, onTrail }: Props) {
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...eventQueries.page(projectId, filter, cursorOf(trail)),
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  const isWhole = !trail && Object.values(filter).every((value) => value === undefined);
  const next = data?.next ?? null;
  return (
    <>
      <EventFilters projectId={projectId} filter={filter} onFilter={onFilter} />
      {data?.items.length === 0 ? (
        <Nothing isWhole={isWhole} isLast={next === null} />
      ) : (
        <DataTable
          label={t('activity.title')}
          columns={eventColumns(projectId, data?.items)}
          rows={data?.items}
          rowKey={({ id }) => id}
          expectedRows={20}
        />
      )}
      <CursorPager trail={trail} onTrail={onTrail} next={next} isTurning={isPlaceholderData} />
    </>
  );
}

function Nothing({ isWhole, isLast }: { isWhole: boolean; isLast: boolean }) {
  if (isWhole) {
    return (
      <EmptyState
        icon={<IconListDetails size={24} />}
        title={t('activity.none.title')}
        text={t('activity.none.text')}
      />
    );
  }
  const title = isLast ? t('activity.nothing') : t('activity.nothing_yet');
  return <EmptyState icon={<IconSearch size={24} />} title={title} />;
}
