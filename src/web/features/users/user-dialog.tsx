import { useMutation } from '@tanstack/react-query';
import { newUser, type User, userChange, users } from '#shared/api/users.ts';
import { useBodyForm } from '../../lib/form.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { UserFields } from './user-fields.tsx';
import { newUserBody, userBody, userValues } from './user-values.ts';
import { usePasswordPrompt } from './use-password-prompt.ts';
import { createUser, updateUser } from './users.queries.ts';

interface Props {
  edit: Edited;
  /** The id of the signed-in user. */
  selfId: number;
  onClose: () => void;
}

/** The form with which administrators make or change a user. */
export function UserDialog({ edit, selfId, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('user.new')}
      editTitle={t('user.edit')}
      size={480}
      help="users"
    >
      {(id) =>
        id === null ? (
          <NewUserForm onClose={onClose} />
        ) : (
          <ChangedUser key={id} userId={id} isSelf={id === selfId} onClose={onClose} />
        )
      }
    </EditDialog>
  );
}

function NewUserForm({ onClose }: Pick<Props, 'onClose'>) {
  const { t } = useTranslation();
  const create = useMutation(createUser());
  const { form, frame } = useBodyForm({
    initial: userValues(),
    schema: newUser,
    toBody: newUserBody,
    submit: async (body) => {
      const { name } = await create.mutateAsync({ body });
      toast(t('user.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame} action={t('common.create')}>
      <UserFields form={form} isNew isSelf={false} />
    </Form>
  );
}

interface ChangedProps extends Pick<Props, 'onClose'> {
  isSelf: boolean;
}

function ChangedUser({ userId, ...props }: ChangedProps & { userId: number }) {
  const opened = useEditableResource(users.one, { user_id: userId });
  return (
    <OpenedForm opened={opened} fields={5}>
      {(base) => <UserForm {...props} base={base} />}
    </OpenedForm>
  );
}

function UserForm({ isSelf, onClose, base }: ChangedProps & { base: Base<User> }) {
  const { t } = useTranslation();
  const update = useMutation(updateUser());
  const { isAsked, asking } = usePasswordPrompt();
  const { form, frame } = useBodyForm({
    initial: userValues(base.thing),
    schema: userChange,
    toBody: userBody,
    submit: async (body, overwrite) => {
      const params = { user_id: base.thing.id };
      const ifMatch = overwrite ? undefined : base.revision;
      await asking(update.mutateAsync({ params, body, ifMatch }));
      toast(t('user.saved', { name: body.name.trim() }));
      onClose();
    },
  });
  return (
    <Form {...frame} onReload={base.onReload} action={t('common.save')}>
      <UserFields form={form} isNew={false} isSelf={isSelf} asksPassword={isAsked} />
    </Form>
  );
}
