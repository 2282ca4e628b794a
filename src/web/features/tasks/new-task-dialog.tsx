import { Button } from '@mantine/core';
import '@mantine/core/styles/Loader.layer.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { newTask, type Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { errorWords, requestIdOf } from '../../lib/error-words.ts';
import { useBodyForm } from '../../lib/form.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Bone } from '../../ui/bones.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { templateQueries } from '../templates/templates.queries.ts';
import classes from './new-task-dialog.module.css';
import { NewTaskFields } from './new-task-fields.tsx';
import { answerErrors, firstValues, inputPath, newTaskBody } from './new-task-values.ts';
import { startTask } from './tasks.queries.ts';

interface Props {
  projectId: number;
  templateId: number;
  /** A task to run again: its answers and options are filled in. */
  earlier?: Task | undefined;
  opened: boolean;
  onClose: () => void;
  onStarted: (task: Task) => void;
}

export function NewTaskDialog(props: Props) {
  const { projectId, templateId, earlier, opened, onClose, onStarted } = props;
  const { t } = useTranslation();
  const { data: template, error, refetch } = useQuery(templateQueries.one(projectId, templateId));
  const title = earlier ? t('new_task.title_again', { id: earlier.id }) : t('new_task.title');
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      keepOnClickOutside
      title={template ? `${template.name} › ${title}` : title}
      size={560}
    >
      {template ? (
        <NewTaskForm
          template={template}
          earlier={earlier}
          onClose={onClose}
          onStarted={onStarted}
        />
      ) : error ? (
        <Failure message={errorWords(error)} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.form}>
          <Bone width="30%" />
          <Bone width="100%" height={36} />
          <Bone width="60%" />
        </div>
      )}
    </Dialog>
  );
}

type FormProps = Pick<Props, 'earlier' | 'onClose' | 'onStarted'> & { template: Template };

function NewTaskForm({ template, earlier, onClose, onStarted }: FormProps) {
  const { t } = useTranslation();
  const start = useMutation(startTask());
  const { form, failure, saving, submit } = useBodyForm({
    initial: firstValues(template, earlier),
    schema: newTask,
    toBody: (values) => newTaskBody(template, earlier, values),
    check: (values) => answerErrors(template, values),
    inputPath,
    submit: async (body) =>
      onStarted(await start.mutateAsync({ params: { project_id: template.project_id }, body })),
  });
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {failure !== null && (
        <Failure message={errorWords(failure)} requestId={requestIdOf(failure)} />
      )}
      <NewTaskFields template={template} earlier={earlier} form={form} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={saving}>
          {t(`task.${template.type || 'run'}`)}
        </Button>
      </div>
    </form>
  );
}
