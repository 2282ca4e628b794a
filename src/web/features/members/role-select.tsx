import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import type { May } from '../../lib/roles/may.ts';
import { Select } from '../../ui/forms/select.ts';
import { useRoleChoices } from '../roles/roles.queries.ts';
import { hasAll } from '../../lib/roles/role-rows.ts';

interface Props {
  projectId: number;
  may: May;
  value: string;
  onChange: (slug: string) => void;
  label?: string;
  'aria-label'?: string;
  size?: 'xs' | 'sm';
  error?: ReactNode;
}

/** The roles that the user may give: those with no other rights than their own. */
export function RoleSelect({ projectId, may, value, onChange, ...input }: Props) {
  const choices = useRoleChoices(projectId).filter(({ rights }) => hasAll(may, rights));
  const textOf = (slug: string) => choices.find((role) => role.slug === slug)?.description;
  return (
    <Select
      data={choices.map(({ slug, name }) => ({ value: slug, label: name }))}
      value={value}
      onChange={(slug) => {
        if (slug !== null) onChange(slug);
      }}
      allowDeselect={false}
      comboboxProps={{ width: 290, position: 'bottom-start' }}
      maxDropdownHeight={360}
      renderOption={({ option }) => (
        <div className="min-w-0">
          <div className="break">{option.label}</div>
          <div className="soft break">{textOf(option.value)}</div>
        </div>
      )}
      nothingFoundMessage={t('common.nothing_found')}
      {...input}
    />
  );
}
