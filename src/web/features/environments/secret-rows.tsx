import { Button, Input, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowBackUp, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { secretTypes } from '#shared/api/environments.ts';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { Chip } from '../../ui/feedback/chip.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { useFocusOfNew } from '../../ui/forms/use-focus-of-new.ts';
import type { EnvironmentValues, SecretValues } from './environment-values.ts';
import classes from './secret-rows.module.css';

const newSecret: SecretValues = {
  id: null,
  stored: null,
  type: 'var',
  name: '',
  empty: true,
  secret: '',
  state: 'replaced',
};

interface Props {
  form: UseFormReturnType<EnvironmentValues>;
}

export function SecretRows({ form }: Props) {
  const id = useId();
  const { secrets } = form.getValues();
  const list = useFocusOfNew<HTMLElement>(secrets.length);
  const add = () => form.insertListItem('secrets', newSecret);
  return (
    <section ref={list} className="column gap-6" aria-labelledby={id}>
      <h3 id={id} className="text-14 weight-600">
        {t('environment.secrets')}
      </h3>
      <Input.Description>{t('environment.secrets_hint')}</Input.Description>
      {secrets.map((secret, index) => (
        <SecretRow key={secret.id ?? `new-${index}`} form={form} secret={secret} index={index} />
      ))}
      <div>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={add}
        >
          {t('environment.add_secret')}
        </Button>
      </div>
    </section>
  );
}

function SecretRow({ form, secret, index }: Props & { secret: SecretValues; index: number }) {
  const path = `secrets.${index}` as const;
  const named = { name: secret.name || index + 1 };
  const isDeleted = secret.state === 'deleted';
  return (
    <div className={`grid items-start gap-6 ${classes.row}`} data-deleted={isDeleted || undefined}>
      <Select
        aria-label={t('environment.secret_type_of', named)}
        data={secretTypes.map((value) => ({ value, label: t(`environment.secret_type.${value}`) }))}
        allowDeselect={false}
        disabled={isDeleted}
        {...form.getInputProps(`${path}.type`)}
      />
      <TextInput
        data-first
        classNames={{ input: 'mono' }}
        aria-label={t('environment.secret_name', { number: index + 1 })}
        placeholder={t('common.name')}
        spellCheck={false}
        autoComplete="off"
        disabled={isDeleted}
        {...form.getInputProps(`${path}.name`)}
      />
      <SecretValue form={form} secret={secret} index={index} />
      {isDeleted ? (
        <IconButton
          label={t('environment.keep_secret', named)}
          icon={<IconArrowBackUp size={16} />}
          onClick={() => form.setFieldValue(`${path}.state`, secret.empty ? 'replaced' : 'kept')}
        />
      ) : (
        <IconButton
          label={t('environment.remove_secret', named)}
          hint={t('common.delete')}
          icon={<IconTrash size={16} />}
          onClick={() =>
            secret.id === null
              ? form.removeListItem('secrets', index)
              : form.setFieldValue(`${path}.state`, 'deleted')
          }
        />
      )}
    </div>
  );
}

function SecretValue({ form, secret, index }: Props & { secret: SecretValues; index: number }) {
  const path = `secrets.${index}` as const;
  const named = { name: secret.name || index + 1 };
  if (secret.state === 'deleted') return <p className="soft">{t('environment.secret_deleted')}</p>;
  if (secret.state === 'kept') {
    return (
      <div className={`row between gap-8 ${classes.stored}`}>
        <span className="soft">{t('environment.secret_stored')}</span>
        <IconButton
          label={t('environment.replace_secret', named)}
          hint={t('environment.replace')}
          icon={<IconRefresh size={16} />}
          onClick={() => form.setFieldValue(`${path}.state`, 'replaced')}
        />
      </div>
    );
  }
  const isMissing = secret.id !== null && secret.empty;
  return (
    <div className={`row gap-8 ${classes.value}`}>
      <SecretInput
        aria-label={t('environment.secret_value', named)}
        placeholder={t('environment.value')}
        {...form.getInputProps(`${path}.secret`)}
      />
      {isMissing && <Chip tone="warning">{t('environment.secret_missing')}</Chip>}
    </div>
  );
}
