import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useMutation } from '@tanstack/react-query';
import { passwordChange, type User, userChange, users } from '#shared/api/users.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../resources/use-editable-resource.ts';
import { OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { NameInputs, OldPasswordInput, usePasswordPrompt } from './name-inputs.tsx';
import { changePassword, userResource } from './users.queries.ts';

export function Profile({ userId }: { userId: number }) {
  const opened = useEditableResource(users.one, { user_id: userId });
  return (
    <OpenedForm opened={opened} fields={4}>
      {(base) => <ProfileForm base={base} />}
    </OpenedForm>
  );
}

function ProfileForm({ base }: { base: Base<User> }) {
  const update = useMutation(userResource.update());
  const { id, name, username, email, alert, external } = base.resource;
  const { form, frame } = useBodyForm({
    initial: { name, username, email, alert, old_password: '' },
    schema: userChange,
    toBody: (values) => values,
    submit: async (body, overwrite) => {
      const params = { user_id: id };
      const ifMatch = overwrite ? undefined : base.revision;
      await update.mutateAsync({ params, body, ifMatch });
      toast(t('user.saved', { name: body.name.trim() }));
      base.onReload();
    },
  });
  const isAsked = usePasswordPrompt(form);
  return (
    <Form {...frame} onReload={base.onReload} action={t('common.save')}>
      <NameInputs form={form} isFixed={external} isOwn />
      {isAsked && <OldPasswordInput form={form} />}
      <Checkbox
        label={t('user.alert')}
        description={t('user.alert_hint')}
        {...form.getInputProps('alert', { type: 'checkbox' })}
      />
    </Form>
  );
}

/** Changes the user's own password: requires the old one some time after the sign-in, and ends the other sessions. */
export function PasswordForm({ userId }: { userId: number }) {
  const change = useMutation(changePassword());
  const { form, frame } = useBodyForm({
    initial: { old_password: '', password: '' },
    schema: passwordChange,
    toBody: (values) => values,
    submit: async (body) => {
      await change.mutateAsync({ params: { user_id: userId }, body });
      form.reset();
      toast(t('account.password_changed'));
    },
  });
  const isAsked = usePasswordPrompt(form);
  return (
    <Form {...frame} action={t('account.change_password')}>
      <SecretInput
        label={t('user.old_password')}
        required={isAsked}
        {...form.getInputProps('old_password')}
        autoComplete="current-password"
      />
      <SecretInput label={t('user.new_password')} required {...form.getInputProps('password')} />
    </Form>
  );
}
