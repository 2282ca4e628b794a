import { Select, Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { missedRules, newSchedule, type Schedule, schedules } from '#shared/api/schedules.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { useResourceForm } from '../../lib/use-resource-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { LaunchFields } from '../../ui/forms/launch-fields.tsx';
import { TargetFields } from '../../ui/forms/target-fields.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { inventoryQueries } from '../inventories/inventories.queries.ts';
import { repositoryQueries } from '../repositories/repositories.queries.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { workflowQueries } from '../workflows/workflows.queries.ts';
import { CronField } from './cron-field.tsx';
import { OnceField } from './once-field.tsx';
import { nameOf } from './schedule-name.ts';
import { scheduleBody, type ScheduleValues, scheduleValues } from './schedule-values.ts';
import { createSchedule, updateSchedule } from './schedules.queries.ts';

interface Props {
  projectId: number;
  /** The workflow that a new schedule starts; by default a template is chosen. */
  workflowId?: number;
  edit: Edited;
  onClose: () => void;
}

export function ScheduleDialog({ edit, ...place }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={place.onClose}
      newTitle={t('schedule.new')}
      editTitle={t('schedule.edit')}
      help="schedule"
    >
      {(id) => <OpenedSchedule key={id ?? 'new'} {...place} id={id} />}
    </EditDialog>
  );
}

type DialogProps = Omit<Props, 'edit'>;

function OpenedSchedule({ id, ...inner }: DialogProps & { id: number | null }) {
  const { projectId } = inner;
  const opened = useEditableResource(
    schedules.one,
    id === null ? null : { project_id: projectId, schedule_id: id },
  );
  return (
    <OpenedForm opened={opened} fields={5}>
      {(base) => <ScheduleForm {...inner} base={base} />}
    </OpenedForm>
  );
}

interface FormProps extends DialogProps {
  base: Base<Schedule> | null;
}

function ScheduleForm({ projectId, workflowId, onClose, base }: FormProps) {
  const { t } = useTranslation();
  const create = useMutation(createSchedule());
  const update = useMutation(updateSchedule());
  const { form, frame } = useResourceForm({
    base,
    initial: scheduleValues(base?.thing, workflowId),
    schema: newSchedule,
    toBody: scheduleBody,
    create: async (body) => {
      const made = await create.mutateAsync({ params: { project_id: projectId }, body });
      return { name: nameOf(made) };
    },
    update: (body, { id }, ifMatch) =>
      update.mutateAsync({ params: { project_id: projectId, schedule_id: id }, body, ifMatch }),
    onSaved: (name) => {
      const known = name || (base ? nameOf({ ...base.thing, name }) : '');
      toast(t(base ? 'schedule.saved' : 'schedule.created', { name: known }));
      onClose();
    },
  });
  return (
    <Form {...frame}>
      <ScheduleFields projectId={projectId} form={form} />
    </Form>
  );
}

interface FieldsProps {
  projectId: number;
  form: UseFormReturnType<ScheduleValues>;
}

function ScheduleFields({ projectId, form }: FieldsProps) {
  const { t } = useTranslation();
  const templates = useQuery(templateQueries.list(projectId));
  const workflows = useQuery(workflowQueries.list(projectId));
  const repositories = useQuery(repositoryQueries.list(projectId));
  const inventories = useQuery(inventoryQueries.list(projectId));
  return (
    <>
      <TextInput
        label={t('common.name')}
        description={t('schedule.name_hint')}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TargetFields
        form={form}
        templates={templates.data}
        workflows={workflows.data}
        templateLabel={t('schedule.template')}
        required
      />
      <Select
        label={t('schedule.when.label')}
        allowDeselect={false}
        data={[
          { value: 'cron', label: t('schedule.when.cron') },
          { value: 'run_at', label: t('schedule.when.run_at') },
        ]}
        value={form.values.type || 'cron'}
        onChange={(type) => form.setFieldValue('type', type === 'run_at' ? type : '')}
      />
      {form.values.type === 'run_at' ? (
        <OnceField
          projectId={projectId}
          time={form.getInputProps('run_at')}
          zone={form.getInputProps('time_zone')}
          deletion={form.getInputProps('delete_after_run', { type: 'checkbox' })}
        />
      ) : (
        <CronField
          projectId={projectId}
          label={t('schedule.cron')}
          required
          cron={form.getInputProps('cron_format')}
          zone={form.getInputProps('time_zone')}
        />
      )}
      <Select
        label={t('schedule.missed.label')}
        description={t('schedule.missed.hint')}
        allowDeselect={false}
        data={missedRules.map((value) => ({ value, label: t(`schedule.missed.${value}`) }))}
        {...form.getInputProps('missed')}
      />
      <IdSelect
        label={t('schedule.repository')}
        description={t('schedule.repository_hint')}
        placeholder={t('schedule.always')}
        items={repositories.data}
        {...form.getInputProps('repository_id')}
      />
      {form.values.starts === 'template' && (
        <LaunchFields form={form} inventories={inventories.data} />
      )}
      <Switch
        label={t('schedule.active')}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </>
  );
}
