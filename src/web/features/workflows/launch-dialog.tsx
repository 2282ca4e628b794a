import { TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Workflow, workflowLaunch } from '#shared/api/workflows.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { Form } from '../../ui/forms/form.tsx';
import { launchWorkflow, workflowQueries } from './workflows.queries.ts';
import { LaunchFormDialog } from '../../resources/launch-dialog.tsx';

interface Props {
  projectId: number;
  workflowId: number;
  opened: boolean;
  onClose: () => void;
  onLaunched: (runId: number) => void;
}

export function LaunchDialog({ projectId, workflowId, onLaunched, ...frame }: Props) {
  return (
    <LaunchFormDialog
      {...frame}
      result={useQuery(workflowQueries.one(projectId, workflowId))}
      title={t('workflow.new_run')}
      help="workflow"
    >
      {(workflow) => <LaunchForm workflow={workflow} onLaunched={onLaunched} />}
    </LaunchFormDialog>
  );
}

function LaunchForm({ workflow, onLaunched }: { workflow: Workflow } & Pick<Props, 'onLaunched'>) {
  const launch = useMutation(launchWorkflow());
  const params = { project_id: workflow.project_id, workflow_id: workflow.id };
  const { form, frame } = useBodyForm({
    initial: { message: '' },
    schema: workflowLaunch,
    toBody: (values) => values,
    submit: async (body) => onLaunched((await launch.mutateAsync({ params, body })).id),
  });
  return (
    <Form {...frame} action={t('workflow.launch')}>
      <TextInput
        label={t('new_task.message')}
        placeholder={t('workflow.message_hint')}
        data-autofocus
        {...form.getInputProps('message')}
      />
    </Form>
  );
}
