import { Checkbox, NumberInput, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { IdSelect } from './id-select.tsx';
import { hasLaunchValues, type LaunchValues } from './launch-values.ts';

const texts = ['git_branch', 'limit', 'tags', 'skip_tags'] as const;
const words = {
  git_branch: 'branch',
  limit: 'limit',
  tags: 'tags',
  skip_tags: 'skip_tags',
} as const;
const flags = ['debug', 'dry_run', 'diff', 'auto_approve'] as const;

interface LaunchForm {
  errors: Record<string, unknown>;
  getValues: () => { task_params: LaunchValues };
  getInputProps: (path: string, options?: { type: 'checkbox' }) => object;
}

type Choices = { id: number; name: string }[] | undefined;

interface Props {
  form: LaunchForm;
  inventories: Choices;
  executionEnvironments: Choices;
  /** Whether an option is shown; by default all are. */
  offers?: (name: keyof LaunchValues) => boolean;
}

const all = () => true;

/** The launch options of a schedule or an integration; collapsed while none is set. */
export function LaunchFields({ form, offers = all, ...choices }: Props) {
  const [isOpen, setOpen] = useState(() => hasLaunchValues(form.getValues().task_params));
  const isWrong = Object.keys(form.errors).some((path) => path.startsWith('task_params'));
  return (
    <details
      style={{ paddingBlock: 2 }}
      open={isOpen || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="py-4 weight-500">{t('launch.title')}</summary>
      <div
        className="column gap-14"
        style={{ padding: '8px 0 4px 16px', borderLeft: '1px solid var(--line)' }}
      >
        <p className="soft">{t('launch.text')}</p>
        <Inputs form={form} offers={offers} {...choices} />
        {flags.filter(offers).map((name) => (
          <Checkbox
            key={name}
            label={t(`new_task.${name}`)}
            {...form.getInputProps(`task_params.${name}`, { type: 'checkbox' })}
          />
        ))}
        {offers('debug_level') && (
          <NumberInput
            label={t('launch.debug_level')}
            description={t('launch.debug_level_hint')}
            min={0}
            max={6}
            allowDecimal={false}
            {...form.getInputProps('task_params.debug_level')}
          />
        )}
      </div>
    </details>
  );
}

function Inputs({ form, inventories, executionEnvironments, offers }: Required<Props>) {
  return (
    <>
      {offers('message') && (
        <TextInput label={t('new_task.message')} {...form.getInputProps('task_params.message')} />
      )}
      {offers('environment') && (
        <Textarea
          label={t('launch.answers')}
          description={t('launch.answers_hint')}
          classNames={{ input: 'mono' }}
          autosize
          minRows={1}
          {...form.getInputProps('task_params.environment')}
        />
      )}
      {offers('inventory_id') && (
        <IdSelect
          label={t('new_task.inventory')}
          items={inventories}
          {...form.getInputProps('task_params.inventory_id')}
        />
      )}
      {offers('execution_environment_id') && (
        <IdSelect
          label={t('execution_environment.one')}
          items={executionEnvironments}
          {...form.getInputProps('task_params.execution_environment_id')}
        />
      )}
      {texts.filter(offers).map((name) => (
        <TextInput
          key={name}
          label={t(`new_task.${words[name]}`)}
          {...form.getInputProps(`task_params.${name}`)}
        />
      ))}
      {offers('arguments') && (
        <Textarea
          label={t('new_task.arguments')}
          description={t('new_task.arguments_hint')}
          placeholder='["--forks", "10"]'
          classNames={{ input: 'mono' }}
          autosize
          minRows={1}
          {...form.getInputProps('task_params.arguments')}
        />
      )}
    </>
  );
}
