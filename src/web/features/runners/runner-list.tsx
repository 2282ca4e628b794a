import { useMutation, useQuery } from '@tanstack/react-query';
import { IconServer } from '@tabler/icons-react';
import type { Runner } from '#shared/api/runners.ts';
import { errorWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { runnerColumns } from './runner-columns.tsx';
import { NewRunnerHint } from './runner-name.tsx';
import { runnerQueries, updateRunner } from './runners.queries.ts';
import { useRemoval } from './use-removal.ts';

interface Props {
  /** Null for all runners and servers. */
  projectId: number | null;
}

/** The servers and runners, how many tasks each has, and which of them get tasks. */
export function RunnerList({ projectId }: Props) {
  const { data, error, refetch } = useQuery(runnerQueries.list(projectId));
  const onDrain = useDrain();
  const removal = useRemoval();
  if (error && !data) {
    return <Failure message={errorWords(error)} onRetry={() => void refetch()} />;
  }
  if (data?.length === 0) {
    return (
      <EmptyState
        icon={<IconServer size={24} />}
        title={t(projectId === null ? 'runner.none' : 'runner.of_project_none')}
      />
    );
  }
  return (
    <>
      <DataTable
        label={t(projectId === null ? 'admin.runners' : 'runner.of_project')}
        columns={runnerColumns({ onDrain, onForget: removal.ask }, projectId === null)}
        rows={data}
        rowKey={({ id }) => id}
        expectedRows={2}
        renderBelow={({ state }) => state === 'new' && <NewRunnerHint />}
      />
      <ConfirmDialog {...removal.dialog} />
    </>
  );
}

function useDrain() {
  const update = useMutation(updateRunner());
  return (runner: Runner, draining: boolean): void =>
    update.mutate(
      { runner, body: { draining } },
      {
        onSuccess: () =>
          toast(t(draining ? 'runner.drained' : 'runner.resumed', { name: runner.name })),
        onError: (failure) => toastError(errorWords(failure)),
      },
    );
}
