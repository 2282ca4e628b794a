import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type GroupRule, newGroupRule } from '#shared/api/identity.ts';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import { limitsOf, noLimits } from '#shared/grants/limits.ts';
import { Select } from '../../ui/forms/select.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { limitsBody, type LimitValues, limitValues } from '../../resources/limits/limit-values.ts';
import { LimitsFields } from '../../resources/limits/limits-fields.tsx';
import type { GrantedParts } from './granted-parts.ts';
import { projectQueries } from '../projects/projects.queries.ts';
import { useRoleChoices } from '../roles/roles.queries.ts';
import { createRule, identityQueries, updateRule } from './identity.queries.ts';
import { sourceChoices } from './rule-words.ts';

interface DialogProps {
  edit: Edited;
  onClose: () => void;
  parts: GrantedParts;
}

export function RuleDialog({ edit, onClose, parts }: DialogProps) {
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('identity.new_rule')}
      editTitle={t('identity.edit_rule')}
      size={560}
      help="company_sign_in"
    >
      {(id) =>
        id === null ? (
          <RuleForm onSaved={onClose} parts={parts} />
        ) : (
          <ChangedRule key={id} id={id} onSaved={onClose} parts={parts} />
        )
      }
    </EditDialog>
  );
}

interface FormProps {
  onSaved: () => void;
  parts: GrantedParts;
}

/** There is no endpoint for one rule, so all rules are read. */
function ChangedRule({ id, ...form }: FormProps & { id: number }) {
  const { data, error, refetch } = useQuery(identityQueries.rules());
  const resource = data?.find((rule) => rule.id === id);
  const isGone = data !== undefined && resource === undefined;
  const failure = isGone ? t('errors.group_rule.not_found') : error && errorWords(error);
  const opened = { resource, failure, onRetry: () => void refetch(), reloads: 0 };
  return (
    <OpenedForm opened={opened} fields={5}>
      {(rule) => <RuleForm rule={rule} {...form} />}
    </OpenedForm>
  );
}

type Values = {
  source: string;
  claim: string;
  pattern: string;
  becomes: 'member' | 'granted' | 'administrator';
  project_id: number | null;
  role: string;
  object_type: GrantedType;
  object_id: number | null;
  limits: LimitValues;
};

function becomesBy({ administrator, object_type: type }: GroupRule): Values['becomes'] {
  if (administrator) return 'administrator';
  return type === null ? 'member' : 'granted';
}

const newRule: Values = {
  source: 'any',
  claim: 'groups',
  pattern: '',
  becomes: 'member',
  project_id: null,
  role: 'task_runner',
  object_type: 'template',
  object_id: null,
  limits: limitValues(noLimits),
};

function toValues(rule: GroupRule | undefined): Values {
  if (!rule) return newRule;
  const { source, claim, pattern, project_id, object_id } = rule;
  return {
    source,
    claim,
    pattern,
    becomes: becomesBy(rule),
    project_id,
    role: rule.role ?? newRule.role,
    object_type: rule.object_type ?? newRule.object_type,
    object_id,
    limits: limitValues(rule.limits),
  };
}

function toBody({ becomes, source, claim, pattern, ...given }: Values) {
  const rule = { source, claim, pattern, administrator: becomes === 'administrator' };
  const nowhere = { project_id: null, role: null, object_type: null, object_id: null };
  if (becomes === 'administrator') return { ...rule, ...nowhere, limits: noLimits };
  const { project_id, role, object_type, object_id, limits } = given;
  if (becomes === 'member') return { ...rule, ...nowhere, project_id, role, limits: noLimits };
  const object = { object_type, object_id, limits: limitsBody(limits, object_type) };
  return { ...rule, project_id, role, ...object };
}

const inputPath = (path: string): string =>
  path.startsWith('limits.answers') ? 'limits.answers' : path;

function RuleForm({ rule, onSaved, parts }: FormProps & { rule?: GroupRule }) {
  const { data: providers } = useQuery(identityQueries.providers());
  const { data: projects } = useQuery(projectQueries.list());
  const create = useMutation(createRule());
  const update = useMutation(updateRule());
  const { form, frame } = useBodyForm({
    initial: toValues(rule),
    schema: newGroupRule,
    toBody,
    inputPath,
    submit: async (body) => {
      if (rule) await update.mutateAsync({ params: { rule_id: rule.id }, body });
      else await create.mutateAsync({ body });
      onSaved();
    },
  });
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
          { value: 'granted', label: t('identity.becomes_granted') },
          { value: 'administrator', label: t('identity.administrator') },
        ]}
        allowDeselect={false}
        {...(form.values.becomes === 'granted' && {
          description: t('identity.becomes_granted_hint'),
        })}
        {...form.getInputProps('becomes')}
      />
      {form.values.becomes !== 'administrator' && (
        <RoleFields form={form} projects={projects} parts={parts} />
      )}
    </Form>
  );
}

interface RoleProps extends Pick<FormProps, 'parts'> {
  form: UseFormReturnType<Values>;
  projects: { id: number; name: string }[] | undefined;
}

/** Which role, and where. */
function RoleFields({ form, projects, parts }: RoleProps) {
  const { becomes, project_id: projectId, object_type: type, limits } = form.values;
  const roles = useRoleChoices(projectId);
  const isGranted = becomes === 'granted';
  const project = form.getInputProps('project_id');
  return (
    <>
      <IdSelect
        label={t('identity.project')}
        items={projects}
        required
        {...project}
        onChange={(id) => {
          project.onChange(id);
          form.setFieldValue('object_id', null);
        }}
      />
      {isGranted &&
        projectId !== null &&
        parts.renderObject({
          projectId,
          type,
          onType: (next) => {
            form.setFieldValue('object_type', next);
            form.setFieldValue('object_id', null);
          },
          input: form.getInputProps('object_id'),
        })}
      <Select
        label={t('team.role')}
        data={roles.map(({ slug, name }) => ({ value: slug, label: name }))}
        allowDeselect={false}
        {...form.getInputProps('role')}
      />
      {isGranted && limitsOf(type) !== 'none' && (
        <LimitsFields
          value={limits}
          onChange={(next) => form.setFieldValue('limits', next)}
          errors={form.errors}
          isHostsOnly={limitsOf(type) === 'hosts'}
          renderZone={parts.renderZone}
        />
      )}
    </>
  );
}
