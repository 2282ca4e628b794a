import { useMutation, useQuery } from '@tanstack/react-query';
import { type Member, newMember } from '#shared/api/members.ts';
import { builtInRights } from '#shared/rights.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import type { May } from '../../lib/roles/may.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { hasAll } from '../../lib/roles/role-rows.ts';
import { linkMember, memberQueries } from './members.queries.ts';
import { RoleSelect } from './role-select.tsx';

interface Props {
  projectId: number;
  may: May;
  members: Member[];
  opened: boolean;
  onClose: () => void;
}

export function LinkMemberDialog({ opened, onClose, ...props }: Props) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('team.new')} size={440} help="team">
      <LinkMemberForm {...props} onClose={onClose} />
    </FormDialog>
  );
}

type Values = { user_id: number | null; role: string };

/** The usual role, or the lesser one; none for users who may give neither. */
const firstRole = (may: May): string =>
  (['task_runner', 'guest'] as const).find((role) => hasAll(may, [...builtInRights[role]])) ?? '';

const toBody = (values: Values) => values;

function LinkMemberForm({ projectId, may, members, onClose }: Omit<Props, 'opened'>) {
  const { data: users, error } = useQuery(memberQueries.users());
  const link = useMutation(linkMember());
  const { form, frame } = useBodyForm<Values, ReturnType<typeof toBody>>({
    initial: { user_id: null, role: firstRole(may) },
    schema: newMember,
    toBody,
    submit: async (body) => {
      const params = { project_id: projectId };
      const added = newMember.parse(body);
      await link.mutateAsync({ params, body: added });
      const name = users?.find(({ id }) => id === added.user_id)?.name ?? '';
      toast(t('team.linked', { name }));
      onClose();
    },
  });
  const taken = new Set(members.map(({ id }) => id));
  const free = (users ?? []).filter(({ id }) => !taken.has(id));
  return (
    <Form
      {...frame}
      message={frame.message ?? (error && errorWords(error))}
      action={t('team.link')}
    >
      <IdSelect
        label={t('team.user')}
        description={t('team.user_hint')}
        required
        items={
          users && free.map(({ id, name, username }) => ({ id, name: `${name} (${username})` }))
        }
        nothingFoundMessage={users ? t('team.nobody_left') : t('common.loading')}
        {...form.getInputProps('user_id')}
      />
      <RoleSelect
        projectId={projectId}
        may={may}
        label={t('team.role')}
        value={form.getValues().role}
        onChange={(role) => form.setFieldValue('role', role)}
        error={form.errors['role']}
      />
    </Form>
  );
}
