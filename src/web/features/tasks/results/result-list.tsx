import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ResultState, RunResult } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { useInnerWidth } from '../../../ui/use-inner-size.ts';
import { type About, LineLink, ResultRow } from './result-row.tsx';
import { OutcomeFilter } from './outcome.tsx';
import { type Counts, countStates, isBad, outcomes } from './outcomes.ts';
import classes from './result-list.module.css';
import { toView } from './run-address.ts';
import { RunNote, RunSkeleton } from './run-tabs.tsx';
import { type ResultsOf, resultsOf, runQueries } from '../run.queries.ts';
import viewClasses from './run-view.module.css';

/** The width in pixels from which diffs are side by side. */
const wideDiff = 1100;

interface Props {
  task: Task;
  title: string;
  hint?: ReactNode;
  /** The line of the log at which the task begins. */
  line?: number | undefined;
  of: ResultsOf;
  /** The section whose result is open at first; null: the first failure. */
  opened?: number | null;
  /**
   * The number of results by outcome; undefined until it is known. The counts of a host are
   * Ansible's: OK includes changed and ignored, and some results are not counted.
   */
  counts: Counts | undefined;
}

/** The results of one host or of one task, in chronological order. */
export function ResultList({ task, title, hint, line, of, opened = null, counts }: Props) {
  const [state, setState] = useState<ResultState | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const isWide = useInnerWidth(frame) >= wideDiff;
  const isOfHost = of.host !== undefined;
  const own = useOwnCounts(task, of);
  const exact = isOfHost ? own : counts;
  return (
    <section className="column flex-1" style={{ minHeight: 320 }} aria-label={title}>
      <div className={`flex wrap baseline gap-4-16 flex-none small ${classes.head}`}>
        <Link
          to="."
          search={toView(isOfHost ? 'hosts' : 'tasks')}
          resetScroll={false}
          activeOptions={{ explicitUndefined: true }}
        >
          <IconArrowLeft size={14} aria-hidden="true" />{' '}
          {t(isOfHost ? 'run.all_hosts' : 'run.all_tasks')}
        </Link>
        <h2 className="weight-620 break" style={{ fontSize: 16 }}>
          {title}
        </h2>
        {hint}
        {line !== undefined && <LineLink line={line} />}
      </div>
      <div className={`row wrap gap-8-16 flex-none gutter py-8 border-bottom ${viewClasses.bar}`}>
        <OutcomeFilter
          counts={exact ?? counts}
          total={exact && sumOf(exact)}
          isOver={isFinished(task.status)}
          value={state}
          onChange={setState}
        />
      </div>
      <section
        ref={frame}
        className="flex-1 min-h-0 overflow-auto focus-inside"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
        tabIndex={0}
        aria-label={t('run.results')}
      >
        <Results
          task={task}
          of={state === null ? of : { ...of, state }}
          opened={opened}
          isWide={isWide}
        />
      </section>
    </section>
  );
}

const sumOf = (counts: Counts): number => outcomes.reduce((sum, name) => sum + counts[name], 0);

/** The results of a host by outcome, once all of them are loaded. */
function useOwnCounts(task: Task, of: ResultsOf): Counts | undefined {
  const { data, hasNextPage } = useInfiniteQuery({
    ...resultsOf(task, of),
    enabled: of.host !== undefined,
  });
  return useMemo(() => {
    if (!data || hasNextPage) return undefined;
    return countStates(data.pages.flatMap((page) => page.results));
  }, [data, hasNextPage]);
}

interface ResultsProps {
  task: Task;
  of: ResultsOf;
  opened: number | null;
  isWide: boolean;
}

function Results({ task, of, opened, isWide }: ResultsProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    {
      ...resultsOf(task, of),
      placeholderData: keepPreviousData,
    },
  );
  const results = useMemo(() => data?.pages.flatMap((page) => page.results) ?? [], [data]);
  const names = useTaskNames(task, of.host !== undefined);
  const isMissing = opened !== null && !results.some(({ section }) => section === opened);
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(() => new Map());
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (!data) return <RunSkeleton />;
  if (results.length === 0) {
    const words = isFinished(task.status) ? 'run.no_results' : 'run.no_results_yet';
    return <RunNote>{t(words)}</RunNote>;
  }
  const firstBad = results.find((one) => isBad(one.state))?.id;
  const atFirst = results.find(({ section }) => section === opened)?.id ?? firstBad;
  const isOpen = ({ id }: RunResult) => toggled.get(id) ?? id === atFirst;
  return (
    <>
      <ol>
        {results.map((result) => (
          <ResultRow
            key={result.id}
            result={result}
            about={names ? nameIn(names, result) : { host: result.host }}
            isOpen={isOpen(result)}
            isAsked={result.section === opened}
            onToggle={() => setToggled(new Map(toggled).set(result.id, !isOpen(result)))}
            isWide={isWide}
          />
        ))}
      </ol>
      {hasNextPage && (
        <Button
          style={{ margin: '12px 18px 20px' }}
          variant="default"
          size="compact-sm"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('run.more')}
        </Button>
      )}
    </>
  );
}

type Names = ReadonlyMap<number, { section: number; name: string }>;

const nameIn = (names: Names, { section }: RunResult): About =>
  names.get(section) ?? { section, name: '' };

/**
 * The names of tasks by the numbers of their sections; null where results have their hosts instead.
 */
function useTaskNames(task: Task, isOfHost: boolean): Names | null {
  const { data } = useQuery({ ...runQueries.playTasks(task), enabled: isOfHost });
  return useMemo(
    () =>
      isOfHost
        ? new Map(
            (data?.tasks ?? []).flatMap(({ sections, section, name }) =>
              sections.map((number) => [number, { section, name }] as const),
            ),
          )
        : null,
    [isOfHost, data],
  );
}
