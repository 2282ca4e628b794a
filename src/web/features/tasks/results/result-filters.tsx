import type { ResultState } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { SearchBox } from '../../../ui/lists/search-box.tsx';
import { OutcomeFilter } from './outcome.tsx';
import { type Counts, countWorst } from './outcomes.ts';
import classes from './run-view.module.css';

interface Props {
  task: Task;
  /** All hosts or tasks, for the numbers of the filter. */
  all: readonly Counts[];
  state: ResultState | null;
  onState: (state: ResultState | null) => void;
  /** Of the search box. */
  label: string;
  search: string;
  onSearch: (search: string) => void;
}

/** Filters the hosts or tasks of a run by their worst result and by a text. */
export function ResultFilters({ task, all, state, onState, label, search, onSearch }: Props) {
  return (
    <>
      <OutcomeFilter
        counts={countWorst(all)}
        total={all.length}
        isOver={isFinished(task.status)}
        value={state}
        onChange={onState}
      />
      <SearchBox
        className={`ml-auto ${classes.search}`}
        label={label}
        value={search}
        onSearch={onSearch}
      />
    </>
  );
}
