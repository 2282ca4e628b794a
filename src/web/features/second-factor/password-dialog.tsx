import { passwordProof } from '#shared/api/second-factor.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SecretInput } from '../../ui/forms/secret-input.tsx';

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  text: string;
  action: string;
  onSubmit: (body: { password: string }) => Promise<unknown>;
}

/** Asks for the password before a change of the second factor. */
export function PasswordDialog({ opened, onClose, title, text, action, onSubmit }: Props) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={title} size={460} help="account">
      <PasswordProof text={text} action={action} onSubmit={onSubmit} />
    </FormDialog>
  );
}

function PasswordProof({ text, action, onSubmit }: Pick<Props, 'text' | 'action' | 'onSubmit'>) {
  const { form, frame } = useBodyForm({
    initial: { password: '' },
    schema: passwordProof,
    toBody: (values) => values,
    submit: onSubmit,
  });
  return (
    <Form {...frame} action={action}>
      <p>{text}</p>
      <SecretInput
        label={t('user.old_password')}
        required
        data-autofocus
        {...form.getInputProps('password')}
        autoComplete="current-password"
      />
    </Form>
  );
}
