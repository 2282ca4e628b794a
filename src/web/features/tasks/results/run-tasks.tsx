import { Switch } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PlayTask, ResultState } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { type ScrollPosition, usePlace } from '../../../ui/lists/windowed-table.tsx';
import { SearchBox } from '../../../ui/lists/search-box.tsx';
import { OutcomeFilter } from './outcome.tsx';
import { countWorst, hasWords, listTasks, worstOf } from './outcomes.ts';
import { PlayTaskTable } from './play-task-table.tsx';
import { ResultList } from './result-list.tsx';
import { useRunAddress } from './run-address.ts';
import { RunSkeleton } from './run-skeleton.tsx';
import { runQueries } from '../run.queries.ts';
import classes from './run-view.module.css';
import { TaskSource } from './task-source.tsx';

/** The tasks of a run by play; or the results of the task in the address. */
export function RunTasks({ task }: { task: Task }) {
  const { section } = useRunAddress();
  const { data, error, refetch } = useQuery(runQueries.playTasks(task));
  const place = usePlace();
  const [slowestFirst, setSlowestFirst] = useState(false);
  const [state, setState] = useState<ResultState | null>(null);
  const [search, setSearch] = useState('');
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (!data) return <RunSkeleton />;
  if (section !== null) {
    const one = data.tasks.find(({ sections }) => sections.includes(section));
    return <OneTask key={section} task={task} section={one?.section ?? section} playTask={one} />;
  }
  return (
    <TaskList
      task={task}
      data={data}
      place={place}
      order={[slowestFirst, setSlowestFirst]}
      state={[state, setState]}
      search={[search, setSearch]}
    />
  );
}

type Choice<Value> = [value: Value, set: (value: Value) => void];

interface ListProps {
  task: Task;
  data: { tasks: PlayTask[]; is_complete: boolean };
  place: ScrollPosition;
  order: Choice<boolean>;
  state: Choice<ResultState | null>;
  search: Choice<string>;
}

function TaskList({ task, data, place, order, state, search }: ListProps) {
  const { tasks, is_complete: isComplete } = data;
  const [slowestFirst, setSlowestFirst] = order;
  const [wanted, setWanted] = state;
  const [words, setWords] = search;
  const items = useMemo(
    () =>
      listTasks(
        tasks.filter((one) => isShown(one, wanted, words)),
        slowestFirst,
      ),
    [tasks, wanted, words, slowestFirst],
  );
  const empty = tasks.length > 0 ? 'common.nothing_found' : emptyWords(task);
  return (
    <section className="column flex-1" style={{ minHeight: 320 }} aria-label={t('run.tasks')}>
      <div className={`row wrap gap-8-16 flex-none gutter py-8 border-bottom ${classes.bar}`}>
        <OutcomeFilter
          counts={countWorst(tasks)}
          total={tasks.length}
          isOver={isFinished(task.status)}
          value={wanted}
          onChange={setWanted}
        />
        <SearchBox
          className={`ml-auto ${classes.search}`}
          label={t('run.search_tasks')}
          value={words}
          onSearch={setWords}
        />
        <Switch
          size="xs"
          label={t('run.slowest_first')}
          checked={slowestFirst}
          onChange={(event) => setSlowestFirst(event.currentTarget.checked)}
        />
      </div>
      {items.length > 0 ? (
        <PlayTaskTable items={items} place={place} withPlays={slowestFirst} />
      ) : (
        <p className="gutter soft" style={{ paddingBlock: 20 }}>
          {t(empty)}
        </p>
      )}
      {!isComplete && (
        <p className="gutter soft" style={{ paddingBlock: 20 }}>
          {t('log.outline.incomplete')}
        </p>
      )}
    </section>
  );
}

const emptyWords = ({ status }: Task) =>
  isFinished(status) ? 'run.no_results' : 'run.no_results_yet';

function isShown(task: PlayTask, state: ResultState | null, search: string): boolean {
  if (state !== null && worstOf(task) !== state) return false;
  return hasWords(`${task.name} ${task.role} ${task.module} ${task.path ?? ''}`, search);
}

interface OneProps {
  task: Task;
  section: number;
  playTask: PlayTask | undefined;
}

function OneTask({ task, section, playTask }: OneProps) {
  return (
    <ResultList
      task={task}
      title={playTask?.name || t('log.outline.unnamed')}
      hint={playTask && <TaskSource task={playTask} />}
      line={playTask?.line}
      of={{ section }}
      counts={playTask}
    />
  );
}
