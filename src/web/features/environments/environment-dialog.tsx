import { Input, TextInput } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { IconArrowBackUp, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import {
  type Environment,
  newEnvironment,
  type SecretChange,
  type SecretType,
  secretTypes,
} from '#shared/api/environments.ts';
import { t } from '../../lib/i18n.ts';
import { defineResourceDialog, type FieldsProps } from '../../resources/resource-dialog.tsx';
import { fieldWords } from '../../lib/error-words.ts';
import { Select } from '../../ui/forms/select.ts';
import { Chip } from '../../ui/feedback/chip.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { useFocusOfNew } from '../../ui/forms/use-focus-of-new.ts';
import { environmentResource } from './environments.queries.ts';
import { VariablesEditor } from './variables-editor.tsx';
import { nameFault } from './variables.ts';
import classes from './secret-rows.module.css';
import { codeInput } from '../../resources/code-input.ts';
import { AddRowButton } from '../../resources/add-row-button.tsx';

type SecretValues = {
  /** Null for a new secret. */
  id: number | null;
  type: SecretType;
  name: string;
  stored: { type: SecretType; name: string } | null;
  empty: boolean;
  /** The new value; the server never returns the stored one. */
  secret: string;
  state: 'kept' | 'replaced' | 'deleted';
};

const environmentValues = (environment?: Environment) => ({
  name: environment?.name ?? '',
  json: environment?.json ?? '{}',
  env: environment?.env ?? '{}',
  secrets: (environment?.secrets ?? []).map(({ id, type, name, empty }): SecretValues => {
    const state = empty ? 'replaced' : 'kept';
    return { id, type, name, stored: { type, name }, empty, secret: '', state };
  }),
});
type EnvironmentValues = ReturnType<typeof environmentValues>;

function operationOf(values: SecretValues): SecretChange['operation'] {
  const { stored, type, name, secret, state } = values;
  if (stored === null) return 'create';
  if (state === 'deleted') return 'delete';
  const isSame = secret === '' && type === stored.type && name === stored.name;
  return isSame ? '' : 'update';
}

/** Sends every secret, so that the index in an error path of the server is that of its row. */
const secretBody = (values: SecretValues) => {
  const { id, type, name, secret } = values;
  return { id, type, name, secret, operation: operationOf(values) };
};

const environmentBody = ({ secrets, ...values }: EnvironmentValues) => ({
  ...values,
  secrets: secrets.map(secretBody),
});

/** JSON allows a repeated name and uses the last value; here it is an error. */
function checkNames({ json, env }: EnvironmentValues): FormErrors {
  const errors: FormErrors = {};
  for (const [path, text] of Object.entries({ json, env })) {
    const fault = nameFault(text);
    if (fault === null) continue;
    errors[path] =
      'missing' in fault
        ? fieldWords('name.required')
        : t('environment.twice', { name: fault.twice });
  }
  return errors;
}

export const EnvironmentDialog = defineResourceDialog({
  resource: environmentResource,
  help: 'environment',
  size: 720,
  fields: 5,
  values: environmentValues,
  toBody: environmentBody,
  schema: newEnvironment,
  check: checkNames,
  Fields: EnvironmentFields,
});

function EnvironmentFields({ form }: FieldsProps<EnvironmentValues>) {
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <VariablesEditor
        kind="json"
        label={t('environment.extra_variables')}
        description={t('environment.extra_variables_hint')}
        {...form.getInputProps('json')}
      />
      <VariablesEditor
        kind="env"
        label={t('environment.process_variables')}
        description={t('environment.process_variables_hint')}
        {...form.getInputProps('env')}
      />
      <SecretRows form={form} />
    </>
  );
}

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

function SecretRows({ form }: Props) {
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
        <AddRowButton onClick={add}>{t('environment.add_secret')}</AddRowButton>
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
        {...codeInput}
        aria-label={t('environment.secret_name', { number: index + 1 })}
        placeholder={t('common.name')}
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
