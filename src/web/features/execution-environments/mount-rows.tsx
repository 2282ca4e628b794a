import { Checkbox, Input, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { AddRowButton } from '../../resources/add-row-button.tsx';
import { codeInput } from '../../resources/code-input.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useFocusOfNew } from '../../ui/forms/use-focus-of-new.ts';
import type { ExecutionValues } from './execution-environment-values.ts';
import classes from './mount-rows.module.css';

interface Props {
  form: UseFormReturnType<ExecutionValues>;
}

/** The folders and files of the runner that the container sees. */
export function MountRows({ form }: Props) {
  const { mounts } = form.getValues();
  const list = useFocusOfNew<HTMLDivElement>(mounts.length);
  return (
    <Input.Wrapper ref={list} label={t('execution_environment.mounts')} labelElement="div">
      {mounts.map((_mount, index) => (
        <MountRow key={index} form={form} index={index} />
      ))}
      <div className="pt-6">
        <AddRowButton
          onClick={() => form.insertListItem('mounts', { source: '', target: '', read_only: true })}
        >
          {t('execution_environment.add_mount')}
        </AddRowButton>
      </div>
    </Input.Wrapper>
  );
}

function MountRow({ form, index }: Props & { index: number }) {
  const path = `mounts.${index}` as const;
  const number = index + 1;
  return (
    <div className={`grid gap-6 pb-6 ${classes.row}`}>
      <TextInput
        data-first
        {...codeInput}
        aria-label={t('execution_environment.mount_source', { number })}
        placeholder={t('execution_environment.on_runner')}
        {...form.getInputProps(`${path}.source`)}
      />
      <TextInput
        {...codeInput}
        aria-label={t('execution_environment.mount_target', { number })}
        placeholder={t('execution_environment.in_container')}
        {...form.getInputProps(`${path}.target`)}
      />
      <Checkbox
        label={t('execution_environment.read_only')}
        className={classes.flag}
        {...form.getInputProps(`${path}.read_only`, { type: 'checkbox' })}
      />
      <IconButton
        label={t('execution_environment.remove_mount', { number })}
        hint={t('common.delete')}
        icon={<IconTrash size={16} />}
        onClick={() => form.removeListItem('mounts', index)}
      />
    </div>
  );
}
