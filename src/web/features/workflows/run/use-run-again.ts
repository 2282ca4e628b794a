import { useMutation } from '@tanstack/react-query';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { runAgain } from '../workflows.queries.ts';

/** Runs a finished run again from these nodes, or from all that failed. */
export function useRunAgain(run: WorkflowRun, onRun: (runId: number) => void) {
  const { mutate, isPending } = useMutation({
    ...runAgain(),
    onSuccess: (made) => onRun(made.id),
    onError: toastFailure,
  });
  return {
    isPending,
    start: (nodes: string[] | null) =>
      mutate({ params: { project_id: run.project_id, run_id: run.id }, body: { nodes } }),
  };
}
