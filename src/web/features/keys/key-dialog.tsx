import { Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { type Key, keyChange, type keys, keyTypes, newKey } from '#shared/api/keys.ts';
import type { CallOf } from '#shared/api/endpoint.ts';
import { defineResourceDialog, type FieldsProps } from '../../resources/resource-dialog.tsx';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { SecretArea } from '../../ui/forms/secret-area.tsx';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { keyResource } from './keys.queries.ts';

const keyValues = (key?: Key) => ({
  name: key?.name ?? '',
  type: key?.type ?? null,
  // The form of a key without secret begins with the input of the secret.
  override_secret: key !== undefined && key.empty && key.type !== 'none',
  login_password: { login: key?.login_password.login ?? '', password: '' },
  ssh: { login: key?.ssh.login ?? '', passphrase: '', private_key: '' },
});
type KeyValues = ReturnType<typeof keyValues>;

const keyBody = ({ name, type, override_secret, ...secrets }: KeyValues) =>
  // The schema refuses a key without a type before it is sent.
  ({
    name,
    type,
    override_secret,
    ...(type === 'login_password' ? { login_password: secrets.login_password } : {}),
    ...(type === 'ssh' ? { ssh: secrets.ssh } : {}),
  }) as CallOf<typeof keys.create>['body'];

export const KeyDialog = defineResourceDialog({
  resource: keyResource,
  help: 'key',
  values: keyValues,
  toBody: keyBody,
  schema: newKey,
  changeSchema: keyChange,
  Fields: KeyFields,
});

function KeyFields({ form, stored }: FieldsProps<KeyValues>) {
  const isNew = stored === null;
  const { type, override_secret: isReplaced } = form.getValues();
  // The secret of a stored key stays unless it is replaced.
  const isLocked = !isNew && !isReplaced;
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <Select
        label={t('key.type.label')}
        required
        allowDeselect={false}
        disabled={isLocked}
        data={keyTypes.map((value) => ({ value, label: t(`key.type.${value}`) }))}
        {...form.getInputProps('type')}
      />
      {!isNew && (
        <Checkbox
          label={t('key.override')}
          description={t('key.override_hint')}
          {...form.getInputProps('override_secret', { type: 'checkbox' })}
        />
      )}
      {type === 'none' && <p className="soft">{t('key.none_hint')}</p>}
      {type === 'login_password' && <LoginFields form={form} isLocked={isLocked} />}
      {type === 'ssh' && <SshFields form={form} isLocked={isLocked} />}
    </>
  );
}

interface SecretProps {
  form: UseFormReturnType<KeyValues>;
  isLocked: boolean;
}

function LoginInput({ form, isLocked, path }: SecretProps & { path: string }) {
  return (
    <TextInput
      label={t('key.login')}
      description={t('key.login_hint')}
      autoComplete="off"
      disabled={isLocked}
      {...form.getInputProps(path)}
    />
  );
}

function LoginFields({ form, isLocked }: SecretProps) {
  return (
    <>
      <LoginInput form={form} isLocked={isLocked} path="login_password.login" />
      <SecretInput
        label={t('key.password')}
        required={!isLocked}
        disabled={isLocked}
        {...form.getInputProps('login_password.password')}
      />
    </>
  );
}

function SshFields({ form, isLocked }: SecretProps) {
  return (
    <>
      <LoginInput form={form} isLocked={isLocked} path="ssh.login" />
      <SecretInput
        label={t('key.passphrase')}
        description={t('key.passphrase_hint')}
        disabled={isLocked}
        {...form.getInputProps('ssh.passphrase')}
      />
      <SecretArea
        label={t('key.private_key')}
        required={!isLocked}
        disabled={isLocked}
        placeholder={t('key.private_key_example')}
        {...form.getInputProps('ssh.private_key')}
      />
    </>
  );
}
