import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PlayTask, ResultState, RunHost } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { t } from '../../../lib/i18n.ts';
import { useNow } from '../../../lib/time-text.tsx';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { usePlace } from '../../../ui/lists/windowed-table.tsx';
import { hasWords, sortHosts, worstOf } from '../results/outcomes.ts';
import { useRunAddress } from '../results/run-address.ts';
import { RunSkeleton } from '../results/run-tabs.tsx';
import { runQueries } from '../run.queries.ts';
import { laneName, namesOf } from './lane-words.ts';
import {
  countsOf,
  hostLanes,
  type Lane,
  preparingLane,
  stageLanes,
  taskLanes,
  wholeSpan,
} from './lanes.ts';
import { TimelineBar } from './timeline-bar.tsx';
import { TimelineChart } from './timeline-chart.tsx';
import { useResultColumns } from './use-result-columns.ts';
import { useZoom } from './use-zoom.ts';

interface Props {
  task: Task;
  /** False: its program reports no results, and only the stages of the run are shown. */
  hasResults: boolean;
}

const noTasks: PlayTask[] = [];
const noHosts: RunHost[] = [];

/** The run over time: its tasks or hosts, or its stages. */
export function TimelineView({ task, hasResults }: Props) {
  const { lanes: wanted } = useRunAddress();
  const byHost = hasResults && wanted === 'hosts';
  const playTasks = useQuery({ ...runQueries.playTasks(task), enabled: hasResults });
  const hosts = useQuery({ ...runQueries.hosts(task), enabled: byHost });
  const loaded = useResultColumns(task, byHost);
  const read = byHost ? hosts : playTasks;
  const error = read.data ? loaded.error : (read.error ?? loaded.error);
  if (error) {
    const refetch = async () => {
      loaded.retry();
      await read.refetch();
    };
    return <QueryFailure error={error} refetch={refetch} />;
  }
  if (hasResults && (!playTasks.data || !read.data)) return <RunSkeleton />;
  return (
    <Timeline
      key={wanted}
      task={task}
      hasResults={hasResults}
      byHost={byHost}
      tasks={playTasks.data?.tasks ?? noTasks}
      hosts={hosts.data ?? noHosts}
      columns={loaded.columns}
    />
  );
}

interface TimelineProps extends Props {
  byHost: boolean;
  tasks: readonly PlayTask[];
  hosts: readonly RunHost[];
  columns: ReturnType<typeof useResultColumns>['columns'];
}

function Timeline({ task, hasResults, byHost, tasks, hosts, columns }: TimelineProps) {
  const now = useNow(!isFinished(task.status));
  const place = usePlace();
  const [state, setState] = useState<ResultState | null>(null);
  const [search, setSearch] = useState('');
  const tasksOverTime = useMemo(() => taskLanes(task, tasks, now), [task, tasks, now]);
  const stages = useMemo(
    () => (hasResults ? preparingLane(task, tasks) : stageLanes(task, now)),
    [hasResults, task, tasks, now],
  );
  const all = useMemo(
    () => (byHost ? hostLanes(sortHosts(hosts)) : [...stages, ...tasksOverTime]),
    [byHost, hosts, stages, tasksOverTime],
  );
  const lanes = useMemo(
    () => all.filter((lane) => isShown(lane, state, search)),
    [all, state, search],
  );
  const names = useMemo(() => namesOf(tasks), [tasks]);
  const span = useMemo(() => wholeSpan([...stages, ...tasksOverTime]), [stages, tasksOverTime]);
  const zoom = useZoom(span ? span.end - span.begin : 1);
  const words = isFinished(task.status) ? 'run.no_results' : 'run.no_results_yet';
  return (
    <section className="column flex-1" style={{ minHeight: 320 }} aria-label={t('timeline.title')}>
      <TimelineBar
        task={task}
        lanes={hasResults ? all : null}
        byHost={byHost}
        state={state}
        onState={setState}
        search={search}
        onSearch={setSearch}
        zoom={zoom}
      />
      {span && lanes.length > 0 ? (
        <TimelineChart
          lanes={lanes}
          columns={columns}
          names={names}
          span={span}
          zoom={zoom}
          place={place}
          heading={t(byHost ? 'task.hosts.host' : 'run.tasks')}
        />
      ) : (
        <p className="gutter soft" style={{ paddingBlock: 20 }}>
          {t(span && all.length > 0 ? 'common.nothing_found' : words)}
        </p>
      )}
    </section>
  );
}

function isShown(lane: Lane, state: ResultState | null, search: string): boolean {
  if (state === null && search === '') return true;
  const counts = countsOf(lane);
  if (!counts || (state !== null && worstOf(counts) !== state)) return false;
  return hasWords(laneName(lane), search);
}
