import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ResultState, RunHost } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { usePlace } from '../../../ui/lists/windowed-table.tsx';
import { SearchBox } from '../../../ui/lists/search-box.tsx';
import { HostTable } from './host-table.tsx';
import { OutcomeFilter } from './outcome.tsx';
import { countWorst, hasWords, sortHosts, worstOf } from './outcomes.ts';
import { ResultList } from './result-list.tsx';
import { RunAgainOnHosts } from './run-again-on-hosts.tsx';
import { useRunAddress } from './run-address.ts';
import { RunSkeleton } from './run-skeleton.tsx';
import { hostTable, runQueries } from '../run.queries.ts';
import classes from './run-view.module.css';

const noHosts: ReadonlySet<string> = new Set();

/** The hosts of a run, the worst first; or the results of the host in the address. */
export function RunHosts({ task, mayRun }: { task: Task; mayRun: boolean }) {
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
        <OutcomeFilter
          counts={countWorst(sorted)}
          total={sorted.length}
          isOver={isFinished(task.status)}
          value={state}
          onChange={setState}
        />
        <SearchBox
          className={`ml-auto ${classes.search}`}
          label={t('run.search_hosts')}
          value={search}
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
        mayRun={mayRun}
      />
      {shown.length > 0 ? (
        <HostTable
          hosts={shown}
          place={place}
          chosen={mayRun ? chosen : null}
          onChoose={setChosen}
        />
      ) : (
        <p className="gutter soft" style={{ paddingBlock: 20 }}>
          {sorted.length > 0
            ? t('common.nothing_found')
            : t(isFinished(task.status) ? 'run.no_results' : 'run.no_results_yet')}
        </p>
      )}
    </section>
  );
}

function isShown(host: RunHost, state: ResultState | null, search: string): boolean {
  if (state !== null && worstOf(host) !== state) return false;
  const { first_failure: failure } = host;
  return hasWords(`${host.host} ${failure?.task ?? ''} ${failure?.message ?? ''}`, search);
}
