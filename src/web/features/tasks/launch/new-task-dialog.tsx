import { useMutation, useQuery } from '@tanstack/react-query';
import { newTask, type Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { useBodyForm } from '../../../lib/form.ts';
import { t } from '../../../lib/i18n.ts';
import { Form } from '../../../ui/forms/form.tsx';
import { templateQueries } from '../../templates/templates.queries.ts';
import { NewTaskFields } from './new-task-fields.tsx';
import { answerErrors, firstValues, inputPath, newTaskBody } from './new-task-values.ts';
import { startTask } from '../tasks.queries.ts';
import { LaunchFormDialog } from '../../../resources/launch-dialog.tsx';

interface Props {
  projectId: number;
  templateId: number;
  /** The task whose answers and options are filled in again. */
  earlier?: Task | undefined;
  /** Filled in instead of the limit of the template. */
  limit?: string | undefined;
  /** Whether the user may change the template, and so what it allows. */
  mayManage: boolean;
  opened: boolean;
  onClose: () => void;
  onStarted: (task: Task) => void;
}

export function NewTaskDialog(props: Props) {
  const { projectId, templateId, opened, onClose } = props;
  const title = props.earlier
    ? t('new_task.title_again', { id: props.earlier.id })
    : t('new_task.title');
  return (
    <LaunchFormDialog
      result={useQuery(templateQueries.one(projectId, templateId))}
      opened={opened}
      onClose={onClose}
      title={title}
      help="launch"
    >
      {(template) => <NewTaskForm {...props} template={template} />}
    </LaunchFormDialog>
  );
}

type FormProps = Pick<Props, 'earlier' | 'limit' | 'mayManage' | 'onStarted' | 'onClose'> & {
  template: Template;
};

function NewTaskForm({ template, earlier, limit, mayManage, onStarted, onClose }: FormProps) {
  const start = useMutation(startTask());
  const { form, frame } = useBodyForm({
    initial: firstValues(template, earlier, limit),
    schema: newTask,
    toBody: (values) => newTaskBody(template, earlier, values),
    check: (values) => answerErrors(template, values),
    inputPath,
    submit: async (body) =>
      onStarted(await start.mutateAsync({ params: { project_id: template.project_id }, body })),
  });
  return (
    <Form {...frame} action={t(`task.${template.type || 'run'}`)}>
      <NewTaskFields
        template={template}
        earlier={earlier}
        settings={mayManage ? { templateId: template.id, onOpen: onClose } : null}
        form={form}
      />
    </Form>
  );
}
