import { Checkbox, Radio, Select, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { hasField, plansFirst } from '#shared/apps.ts';
import type { Task } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { ArgumentsField } from '../../../ui/forms/arguments-field.tsx';
import { useExecutionChoices } from '../../execution-environments/execution-environments.queries.ts';
import { inventoryQueries } from '../../inventories/inventories.queries.ts';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { taskVersion } from '../task-link.tsx';
import { taskQueries } from '../tasks.queries.ts';
import type { LaunchTemplate, NewTaskValues } from './new-task-values.ts';
import { SurveyFields } from './survey-fields.tsx';

interface TemplateSettings {
  templateId: number;
  /** Closes the dialogs above the settings. */
  onOpen: () => void;
}

interface Props {
  template: LaunchTemplate;
  earlier: Task | undefined;
  /**
   * The link to the settings of the template; null without the permission, or in the settings
   * themselves.
   */
  settings: TemplateSettings | null;
  form: UseFormReturnType<NewTaskValues>;
}

export function NewTaskFields({ template, earlier, settings, form }: Props) {
  return (
    <>
      <TextInput
        label={t('new_task.message')}
        placeholder={t('new_task.message_hint')}
        data-autofocus
        {...form.getInputProps('message')}
      />
      {template.type === 'deploy' && template.build_template_id !== null && (
        <BuildSelect
          projectId={template.project_id}
          buildTemplateId={template.build_template_id}
          {...form.getInputProps('build_task_id')}
        />
      )}
      <SurveyFields variables={template.survey_vars} form={form} />
      {template.allow_any_variable_in_task && (
        <Textarea
          label={t('new_task.variables')}
          placeholder={'{"version": "1.2"}'}
          autosize
          minRows={2}
          maxRows={10}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          {...form.getInputProps('variables')}
        />
      )}
      <Prompts template={template} settings={settings} form={form} />
      {earlier?.commit_hash && <CommitChoice hash={earlier.commit_hash} form={form} />}
      <fieldset
        className="flex wrap py-4"
        style={{ gap: '10px 20px' }}
        aria-label={t('new_task.options')}
      >
        <Options template={template} form={form} />
      </fieldset>
    </>
  );
}

function Options({ template, form }: Pick<Props, 'template' | 'form'>) {
  const { app } = template;
  const isAnsible = hasField(app, 'diff');
  return (
    <>
      {template.allow_debug_in_task && (
        <Checkbox
          label={isAnsible ? `${t('new_task.debug')} (-vvvv)` : t('new_task.debug')}
          {...form.getInputProps('debug', { type: 'checkbox' })}
        />
      )}
      {hasField(app, 'dry_run') && (
        <Checkbox
          label={plansFirst(app) ? t('new_task.plan_only') : `${t('new_task.dry_run')} (--check)`}
          {...form.getInputProps('dry_run', { type: 'checkbox' })}
        />
      )}
      {isAnsible && (
        <Checkbox
          label={`${t('new_task.diff')} (--diff)`}
          {...form.getInputProps('diff', { type: 'checkbox' })}
        />
      )}
      {hasField(app, 'auto_approve') && template.allow_auto_approve_in_task && (
        <Checkbox
          label={t('new_task.auto_approve')}
          {...form.getInputProps('auto_approve', { type: 'checkbox' })}
        />
      )}
    </>
  );
}

function Prompts({ template, settings, form }: Omit<Props, 'earlier'>) {
  const { app } = template;
  return (
    <>
      {template.allow_override_inventory_in_task && (
        <InventorySelect projectId={template.project_id} {...form.getInputProps('inventory_id')} />
      )}
      {template.allow_override_execution_environment_in_task && (
        <ExecutionSelect
          projectId={template.project_id}
          {...form.getInputProps('execution_environment_id')}
        />
      )}
      {template.allow_override_branch_in_task && (
        <TextInput
          label={t('new_task.branch')}
          description={t('new_task.branch_hint')}
          {...form.getInputProps('git_branch')}
        />
      )}
      {template.allow_override_limit_in_task && hasField(app, 'limit') && (
        <TextInput
          label={t('new_task.limit')}
          placeholder="web*:!web3"
          {...form.getInputProps('limit')}
        />
      )}
      {template.allow_override_tags_in_task && hasField(app, 'tags') && (
        <TextInput label={t('new_task.tags')} {...form.getInputProps('tags')} />
      )}
      {template.allow_override_skip_tags_in_task && hasField(app, 'skip_tags') && (
        <TextInput label={t('new_task.skip_tags')} {...form.getInputProps('skip_tags')} />
      )}
      {template.allow_override_args_in_task && (
        <ArgumentsField label={t('new_task.arguments')} {...form.getInputProps('arguments')} />
      )}
      {!template.allow_override_args_in_task && settings && (
        <Link
          to="/project/$projectId/templates/$templateId"
          params={{ projectId: template.project_id, templateId: settings.templateId }}
          search={{ edit: settings.templateId }}
          onClick={settings.onOpen}
          className="smaller self-start"
        >
          {t('new_task.arguments_refused')}
        </Link>
      )}
    </>
  );
}

function CommitChoice({ hash, form }: { hash: string } & Pick<Props, 'form'>) {
  return (
    <Radio.Group
      label={t('new_task.commit')}
      value={String(form.getValues().same_commit)}
      onChange={(value) => form.setFieldValue('same_commit', value === 'true')}
    >
      <div className="flex wrap py-4" style={{ gap: '10px 20px' }}>
        <Radio value="false" label={t('new_task.commit_newest')} />
        <Radio value="true" label={t('new_task.commit_same', { hash: hash.slice(0, 8) })} />
      </div>
    </Radio.Group>
  );
}

interface BuildSelectProps {
  projectId: number;
  buildTemplateId: number;
  value?: string;
  onChange?: (value: string | null) => void;
  error?: ReactNode;
}

function BuildSelect({ projectId, buildTemplateId, ...input }: BuildSelectProps) {
  const { data: tasks } = useQuery(taskQueries.builds(projectId, buildTemplateId));
  // A dry run has built nothing.
  const builds = tasks?.filter(({ dry_run: isDryRun }) => !isDryRun);
  const newest = builds?.[0]?.id;
  const { value, onChange } = input;
  useEffect(() => {
    if (!value && newest !== undefined) onChange?.(String(newest));
  }, [value, newest, onChange]);
  return (
    <Select
      label={t('new_task.build_version')}
      description={builds?.length === 0 ? t('new_task.no_builds') : null}
      placeholder={t('new_task.choose')}
      data={(builds ?? []).map((task) => ({
        value: String(task.id),
        label: [taskVersion(task) ?? `#${task.id}`, task.message].filter(Boolean).join(' - '),
      }))}
      allowDeselect={false}
      required
      searchable
      {...input}
    />
  );
}

interface InventorySelectProps {
  projectId: number;
  value?: string;
  onChange?: (value: string | null) => void;
  error?: ReactNode;
}

function InventorySelect({ projectId, ...input }: InventorySelectProps) {
  const { data } = useQuery(inventoryQueries.list(projectId));
  return (
    <Select
      label={t('new_task.inventory')}
      data={(data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      allowDeselect={false}
      searchable
      {...input}
    />
  );
}

type ExecutionProps = Omit<ComponentProps<typeof IdSelect>, 'items'> & { projectId: number };

const ExecutionSelect = ({ projectId, ...input }: ExecutionProps) => (
  <IdSelect
    label={t('execution_environment.one')}
    placeholder={t('execution_environment.of_template')}
    items={useExecutionChoices(projectId)}
    {...input}
  />
);
