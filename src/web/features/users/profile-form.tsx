import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useMutation } from '@tanstack/react-query';
import { type User, userChange, users } from '#shared/api/users.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../resources/use-editable-resource.ts';
import { OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { NameInputs, OldPasswordInput } from './name-inputs.tsx';
import { usePasswordPrompt } from './use-password-prompt.ts';
import { userResource } from './users.queries.ts';

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
