import { Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Project, projectChange, projects } from '#shared/api/projects.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../resources/use-editable-resource.ts';
import { OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { LazyTagsField } from '../../ui/forms/lazy-tags-field.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { useExecutionChoices } from '../execution-environments/execution-environments.queries.ts';
import { useKnownTags } from '../runners/runners.queries.ts';
import { KeptFacts } from './kept-facts.tsx';
import { ProjectName, ProjectOptions } from './project-fields.tsx';
import { inputPath, projectBody, projectValues } from './project-values.ts';
import { updateProject } from './projects.queries.ts';

export function ProjectSettings({ projectId }: { projectId: number }) {
  const opened = useEditableResource(projects.one, { project_id: projectId });
  return (
    <OpenedForm opened={opened} fields={4}>
      {(base) => <ProjectForm base={base} />}
    </OpenedForm>
  );
}

function ProjectForm({ base }: { base: Base<Project> }) {
  const update = useMutation(updateProject());
  const known = useKnownTags(base.resource.id);
  const { form, frame, saving } = useBodyForm({
    initial: projectValues(base.resource),
    schema: projectChange,
    toBody: projectBody,
    inputPath,
    submit: async (body, overwrite) => {
      const params = { project_id: base.resource.id };
      await update.mutateAsync({ params, body, ifMatch: overwrite ? undefined : base.revision });
      toast(t('project.saved', { name: body.name.trim() }));
      base.onReload();
    },
  });
  return (
    <Form {...frame} onReload={base.onReload} action={t('common.save')}>
      <ProjectName form={form} disabled={saving} />
      <ProjectOptions form={form} disabled={saving} />
      <LazyTagsField
        label={t('project.runner_tags')}
        description={t('project.runner_tags_hint')}
        disabled={saving}
        known={known}
        input={form.getInputProps('runner_tags')}
      />
      <IdSelect
        label={t('execution_environment.one')}
        description={t('execution_environment.project_hint')}
        placeholder={t('execution_environment.of_runner')}
        disabled={saving}
        items={useExecutionChoices(base.resource.id)}
        {...form.getInputProps('execution_environment_id')}
      />
      <Checkbox
        label={t('project.keep_home')}
        description={t('project.keep_home_hint')}
        disabled={saving}
        {...form.getInputProps('keep_home', { type: 'checkbox' })}
      />
      <KeptFacts form={form} disabled={saving} />
    </Form>
  );
}
