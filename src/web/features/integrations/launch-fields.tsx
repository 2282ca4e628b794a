import { Checkbox, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { IdSelect } from '../../ui/id-select.tsx';
import { inventoryQueries } from '../inventories/inventories.queries.ts';
import type { FieldsProps } from './integration-fields.tsx';
import { hasLaunchValues } from './integration-values.ts';
import classes from './launch-fields.module.css';

const texts = ['git_branch', 'limit', 'tags', 'skip_tags'] as const;
const words = {
  git_branch: 'branch',
  limit: 'limit',
  tags: 'tags',
  skip_tags: 'skip_tags',
} as const;
const flags = ['debug', 'dry_run', 'diff'] as const;

/** What the tasks that the integration launches are given; folded away while nothing is. */
export function LaunchFields({ projectId, form }: FieldsProps) {
  const { t } = useTranslation();
  const inventories = useQuery(inventoryQueries.list(projectId));
  const [isOpen, setOpen] = useState(() => hasLaunchValues(form.getValues().task_params));
  const isWrong = Object.keys(form.errors).some((path) => path.startsWith('task_params'));
  return (
    <details
      className={classes.more}
      open={isOpen || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t('integration.launch.title')}</summary>
      <div className={classes.fields}>
        <p className="soft">{t('integration.launch.text')}</p>
        <TextInput label={t('new_task.message')} {...form.getInputProps('task_params.message')} />
        <IdSelect
          label={t('new_task.inventory')}
          items={inventories.data}
          {...form.getInputProps('task_params.inventory_id')}
        />
        {texts.map((name) => (
          <TextInput
            key={name}
            label={t(`new_task.${words[name]}`)}
            {...form.getInputProps(`task_params.${name}`)}
          />
        ))}
        <Textarea
          label={t('new_task.arguments')}
          description={t('new_task.arguments_hint')}
          placeholder='["--forks", "10"]'
          classNames={{ input: 'mono' }}
          autosize
          minRows={1}
          {...form.getInputProps('task_params.arguments')}
        />
        {flags.map((name) => (
          <Checkbox
            key={name}
            label={t(`new_task.${name}`)}
            {...form.getInputProps(`task_params.${name}`, { type: 'checkbox' })}
          />
        ))}
      </div>
    </details>
  );
}
