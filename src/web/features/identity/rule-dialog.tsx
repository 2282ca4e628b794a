import { TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type GroupRule, newGroupRule } from '#shared/api/identity.ts';
import { Select } from '../../ui/forms/select.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { projectQueries } from '../projects/projects.queries.ts';
import { useRoleChoices } from '../roles/roles.queries.ts';
import { createRule, identityQueries, updateRule } from './identity.queries.ts';
import { sourceChoices } from './rule-words.ts';

export function RuleDialog({ edit, onClose }: { edit: Edited; onClose: () => void }) {
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('identity.new_rule')}
      editTitle={t('identity.edit_rule')}
      size={520}
      help="company_sign_in"
    >
      {(id) =>
        id === null ? (
          <RuleForm onSaved={onClose} />
        ) : (
          <ChangedRule key={id} id={id} onSaved={onClose} />
        )
      }
    </EditDialog>
  );
}

/** There is no endpoint for one rule, so all rules are read. */
function ChangedRule({ id, onSaved }: { id: number; onSaved: () => void }) {
  const { data, error, refetch } = useQuery(identityQueries.rules());
  const resource = data?.find((rule) => rule.id === id);
  const isGone = data !== undefined && resource === undefined;
  const failure = isGone ? t('errors.group_rule.not_found') : error && errorWords(error);
  const opened = { resource, failure, onRetry: () => void refetch(), reloads: 0 };
  return (
    <OpenedForm opened={opened} fields={5}>
      {(rule) => <RuleForm rule={rule} onSaved={onSaved} />}
    </OpenedForm>
  );
}

type Values = {
  source: string;
  claim: string;
  pattern: string;
  becomes: 'member' | 'administrator';
  project_id: number | null;
  role: string;
};

const toValues = (rule: GroupRule | undefined): Values => ({
  source: rule?.source ?? 'any',
  claim: rule?.claim ?? 'groups',
  pattern: rule?.pattern ?? '',
  becomes: rule?.administrator ? 'administrator' : 'member',
  project_id: rule?.project_id ?? null,
  role: rule?.role ?? 'task_runner',
});

const toBody = ({ becomes, project_id: project, role, ...values }: Values) =>
  becomes === 'administrator'
    ? { ...values, administrator: true, project_id: null, role: null }
    : { ...values, administrator: false, project_id: project, role };

function RuleForm({ rule, onSaved }: { rule?: GroupRule; onSaved: () => void }) {
  const { data: providers } = useQuery(identityQueries.providers());
  const { data: projects } = useQuery(projectQueries.list());
  const create = useMutation(createRule());
  const update = useMutation(updateRule());
  const { form, frame } = useBodyForm({
    initial: toValues(rule),
    schema: newGroupRule,
    toBody,
    submit: async (body) => {
      if (rule) await update.mutateAsync({ params: { rule_id: rule.id }, body });
      else await create.mutateAsync({ body });
      onSaved();
    },
  });
  const roles = useRoleChoices(form.values.project_id);
  const isMember = form.values.becomes === 'member';
  return (
    <Form {...frame} action={rule ? t('common.save') : t('common.create')}>
      <Select
        label={t('identity.source')}
        data={sourceChoices(providers, rule?.source)}
        allowDeselect={false}
        {...form.getInputProps('source')}
      />
      <TextInput
        label={t('identity.claim')}
        description={t('identity.claim_hint')}
        required
        {...form.getInputProps('claim')}
      />
      <TextInput
        label={t('identity.group')}
        description={t('identity.group_hint')}
        required
        data-autofocus
        {...form.getInputProps('pattern')}
      />
      <Select
        label={t('identity.becomes')}
        data={[
          { value: 'member', label: t('identity.becomes_member') },
          { value: 'administrator', label: t('identity.administrator') },
        ]}
        allowDeselect={false}
        {...form.getInputProps('becomes')}
      />
      {isMember && (
        <>
          <IdSelect
            label={t('identity.project')}
            items={projects}
            required
            {...form.getInputProps('project_id')}
          />
          <Select
            label={t('team.role')}
            data={roles.map(({ slug, name }) => ({ value: slug, label: name }))}
            allowDeselect={false}
            {...form.getInputProps('role')}
          />
        </>
      )}
    </Form>
  );
}
