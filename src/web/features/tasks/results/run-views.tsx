import { Button, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import type { Task } from '#shared/api/tasks.ts';
import type { PlayTask, ResultState, RunHost } from '#shared/api/run-results.ts';
import { isFinished } from '#shared/task-status.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { type ScrollPosition, usePlace } from '../../../ui/lists/windowed-table.tsx';
import { hostTable, runQueries } from '../run.queries.ts';
import { useRunAddress } from './run-address.ts';
import { HostTable, PlayTaskTable } from './result-tables.tsx';
import { hasWords, listTasks, sortHosts, worstOf } from './outcomes.ts';
import { ResultFilters } from './result-filters.tsx';
import { ResultList } from './result-list.tsx';
import { RunAgainOnHosts } from './run-again-on-hosts.tsx';
import { RunNote, RunSkeleton } from './run-tabs.tsx';
import { TaskSource } from './task-source.tsx';
import classes from './run-view.module.css';
import type { May } from '../../../lib/roles/may.ts';

export function RunViews({ task, may }: { task: Task; may: May }) {
  const { view } = useRunAddress();
  return view === 'hosts' ? <RunHosts task={task} may={may} /> : <RunTasks task={task} />;
}

const noHosts: ReadonlySet<string> = new Set();

/** The hosts of a run, the worst first; or the results of the host in the address. */
function RunHosts({ task, may }: { task: Task; may: May }) {
  const { host: name, section } = useRunAddress();
  const { data, error, refetch } = useQuery(runQueries.hosts(task));
  const sorted = useMemo(() => sortHosts(data ?? []), [data]);
  const [state, setState] = useState<ResultState | null>(null);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(noHosts);
  const place = usePlace();
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (!data) return <RunSkeleton />;
  if (name !== null) {
    const counts = data.find(({ host }) => host === name);
    return (
      <ResultList
        key={name}
        task={task}
        title={name}
        hint={
          <Link
            to="/project/$projectId/hosts/$host"
            params={{ projectId: task.project_id, host: name }}
            search={{}}
          >
            {t('host.history')}
          </Link>
        }
        of={{ host: name }}
        opened={section}
        counts={counts}
      />
    );
  }
  const shown = sorted.filter((host) => isShown(host, state, search));
  return (
    <section className="column flex-1" style={{ minHeight: 320 }} aria-label={t('run.hosts')}>
      <div className={`row wrap gap-8-16 flex-none gutter py-8 border-bottom ${classes.bar}`}>
        <ResultFilters
          task={task}
          all={sorted}
          state={state}
          onState={setState}
          label={t('run.search_hosts')}
          search={search}
          onSearch={setSearch}
        />
        <Button
          component="a"
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={15} />}
          href={hostTable(task)}
          download={`task_${task.id}_hosts.csv`}
        >
          {t('run.csv')}
        </Button>
      </div>
      <RunAgainOnHosts
        task={task}
        hosts={sorted}
        shown={shown}
        chosen={chosen}
        onChoose={setChosen}
        may={may}
      />
      {shown.length > 0 ? (
        <HostTable
          hosts={shown}
          place={place}
          chosen={may('task.restart') ? chosen : null}
          onChoose={setChosen}
        />
      ) : (
        <RunNote>
          {sorted.length > 0
            ? t('common.nothing_found')
            : t(isFinished(task.status) ? 'run.no_results' : 'run.no_results_yet')}
        </RunNote>
      )}
    </section>
  );
}

function isShown(host: RunHost, state: ResultState | null, search: string): boolean {
  if (state !== null && worstOf(host) !== state) return false;
  const { first_failure: failure } = host;
  return hasWords(`${host.host} ${failure?.task ?? ''} ${failure?.message ?? ''}`, search);
}

/** The tasks of a run by play; or the results of the task in the address. */
function RunTasks({ task }: { task: Task }) {
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
        tasks.filter((one) => isTaskShown(one, wanted, words)),
        slowestFirst,
      ),
    [tasks, wanted, words, slowestFirst],
  );
  const empty = tasks.length > 0 ? 'common.nothing_found' : emptyWords(task);
  return (
    <section className="column flex-1" style={{ minHeight: 320 }} aria-label={t('run.tasks')}>
      <div className={`row wrap gap-8-16 flex-none gutter py-8 border-bottom ${classes.bar}`}>
        <ResultFilters
          task={task}
          all={tasks}
          state={wanted}
          onState={setWanted}
          label={t('run.search_tasks')}
          search={words}
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
        <RunNote>{t(empty)}</RunNote>
      )}
      {!isComplete && <RunNote>{t('log.outline.incomplete')}</RunNote>}
    </section>
  );
}

const emptyWords = ({ status }: Task) =>
  isFinished(status) ? 'run.no_results' : 'run.no_results_yet';

function isTaskShown(task: PlayTask, state: ResultState | null, search: string): boolean {
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
