import { useMutation } from '@tanstack/react-query';
import { passwordChange } from '#shared/api/users.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { Form } from '../../ui/forms/form.tsx';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { usePasswordPrompt } from './use-password-prompt.ts';
import { changePassword } from './users.queries.ts';

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
