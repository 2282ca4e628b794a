import { useQuery } from '@tanstack/react-query';
import type { Grant } from '#shared/api/grants.ts';
import { type GrantedType, rightsAbout } from '#shared/grants/granted-types.ts';
import { limitsOf } from '#shared/grants/limits.ts';
import { t } from '../../lib/i18n.ts';
import { mayOn } from '../../lib/roles/may.ts';
import { hasAll } from '../../lib/roles/role-rows.ts';
import type { FieldsProps } from '../../resources/resource-dialog.tsx';
import type { ProjectScope } from '../../resources/resource.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { Select } from '../../ui/forms/select.ts';
import { memberQueries } from '../members/members.queries.ts';
import { useRoleChoices } from '../roles/roles.queries.ts';
import type { GrantScope } from './grant-scope.ts';
import type { LimitValues } from '../../resources/limits/limit-values.ts';
import { LimitsFields } from '../../resources/limits/limits-fields.tsx';
import { ObjectFields } from './object-fields.tsx';

export interface GrantValues extends Record<string, unknown> {
  user_id: number | null;
  object_type: GrantedType;
  object_id: number | null;
  role: string;
  limits: LimitValues;
}

type Props = FieldsProps<GrantValues, Grant> & GrantScope & ProjectScope;

export function GrantFields(props: Props) {
  const { form, stored, object, projectId, renderZone } = props;
  const { object_type: type, limits } = form.getValues();
  const { data: members } = useQuery(memberQueries.list(projectId));
  const people = members?.map(({ id, name, username }) => ({ id, name: `${name} (${username})` }));
  return (
    <>
      {stored ? (
        <p className="break">
          <span className="weight-550">{stored.user_name}</span>
          <span className="soft"> · {stored.object_name}</span>
        </p>
      ) : (
        <>
          <IdSelect
            label={t('access.person')}
            required
            items={people}
            {...form.getInputProps('user_id')}
          />
          {object === null && <GrantedObject {...props} />}
        </>
      )}
      <RoleField {...props} />
      {limitsOf(type) !== 'none' && (
        <LimitsFields
          value={limits}
          onChange={(next) => form.setFieldValue('limits', next)}
          errors={form.errors}
          isHostsOnly={limitsOf(type) === 'hosts'}
          renderZone={renderZone}
        />
      )}
    </>
  );
}

/** What the grant is about. */
function GrantedObject({ form, projectId, may }: Props) {
  const { object_type: type, object_id: id } = form.getValues();
  return (
    <ObjectFields
      projectId={projectId}
      type={type}
      onType={(next) => {
        form.setFieldValue('object_type', next);
        form.setFieldValue('object_id', null);
      }}
      input={{ ...form.getInputProps('object_id'), value: id }}
      isOffered={(one) => may('grant.edit', { type, id: one })}
    />
  );
}

/** The roles with no other rights on such an object than those of the user. */
function RoleField({ form, projectId, may }: Props) {
  const { object_type: type, object_id: id, role } = form.getValues();
  const mayHere = id === null ? may : mayOn(may, type, id);
  const choices = useRoleChoices(projectId).filter(
    ({ slug, rights }) => slug === role || hasAll(mayHere, [...rightsAbout(type, new Set(rights))]),
  );
  return (
    <Select
      label={t('team.role')}
      required
      data={choices.map(({ slug, name }) => ({ value: slug, label: name }))}
      {...form.getInputProps('role')}
      value={role === '' ? null : role}
      allowDeselect={false}
      nothingFoundMessage={t('common.nothing_found')}
    />
  );
}
