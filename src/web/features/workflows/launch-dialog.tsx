import { TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Workflow, workflowLaunch } from '#shared/api/workflows.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { launchWorkflow, workflowQueries } from './workflows.queries.ts';

interface Props {
  projectId: number;
  workflowId: number;
  opened: boolean;
  onClose: () => void;
  onLaunched: (runId: number) => void;
}

export function LaunchDialog({ projectId, workflowId, opened, onClose, onLaunched }: Props) {
  const { data, error, refetch } = useQuery(workflowQueries.one(projectId, workflowId));
  const title = t('workflow.new_run');
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={data ? `${data.name} › ${title}` : title}
      help="workflow"
    >
      <OpenedForm
        opened={{
          resource: data,
          failure: error && !data ? errorWords(error) : null,
          onRetry: () => void refetch(),
          reloads: 0,
        }}
      >
        {(shown) => <LaunchForm workflow={shown} onLaunched={onLaunched} />}
      </OpenedForm>
    </FormDialog>
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
