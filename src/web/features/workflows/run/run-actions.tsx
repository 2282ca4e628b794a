import { useMutation } from '@tanstack/react-query';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import { isRunFinished } from '#shared/workflows/run-status.ts';
import { t } from '../../../lib/i18n.ts';
import { toastFailure, useConfirmed } from '../../../resources/use-confirmed.tsx';
import { ActionButton } from '../../../ui/buttons/action-button.tsx';
import { HeadButton } from '../../../ui/buttons/head-button.tsx';
import { removeRun, runAgain, stopRun } from '../workflows.queries.ts';
import { StopButton } from '../../../resources/stop-button.tsx';
import { type May, refusalOf } from '../../../lib/roles/may.ts';

interface Props {
  run: WorkflowRun;
  may: May;
  onRun: (runId: number) => void;
  onDeleted: (workflowId: number) => void;
}

export function RunActions(props: Props) {
  const { run, may } = props;
  if (!isRunFinished(run.status)) {
    return (
      <StopButton
        kind={run.status === 'stopping' ? 'force_stop' : 'stop'}
        wordsOf={(kind) => ({
          title: t(`workflow.run.${kind}_title`, { id: run.id }),
          text: t(`workflow.run.${kind}_text`),
        })}
        mutation={stopRun()}
        argsOf={(body) => ({ params: { project_id: run.project_id, run_id: run.id }, body })}
        refused={refusalOf(may, 'task.stop')}
      />
    );
  }
  return (
    <>
      {may('task.delete') && <DeleteRun {...props} />}
      {run.nodes.some(({ state }) => state === 'failure') && <AgainFromFailed {...props} />}
    </>
  );
}

function AgainFromFailed({ run, may, onRun }: Props) {
  const again = useRunAgain(run, onRun);
  return (
    <ActionButton
      leftSection={<IconRefresh size={16} />}
      refused={refusalOf(may, 'task.restart')}
      loading={again.isPending}
      onClick={() => again.start(null)}
    >
      {t('workflow.run.again')}
    </ActionButton>
  );
}

function DeleteRun({ run, onDeleted }: Props) {
  const { id } = run;
  const deletion = useConfirmed({
    mutation: removeRun(),
    argsOf: (one: WorkflowRun) => ({ params: { project_id: one.project_id, run_id: one.id } }),
    wordsOf: () => ({
      title: t('workflow.run.delete'),
      text: t('workflow.run.delete_text', { id }),
      action: t('common.delete'),
    }),
    done: () => t('workflow.run.deleted', { id }),
    onDone: () => onDeleted(run.workflow_id),
  });
  return (
    <>
      <HeadButton
        label={t('workflow.run.delete')}
        text={t('common.delete')}
        icon={<IconTrash size={16} />}
        onClick={() => deletion.ask(run)}
      />
      {deletion.dialog}
    </>
  );
}

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
