import type { ReactNode } from 'react';
import { type Role, roleNames } from '#shared/permissions.ts';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';

interface Props {
  value: Role;
  onChange: (role: Role) => void;
  label?: string;
  'aria-label'?: string;
  size?: 'xs' | 'sm';
  disabled?: boolean;
  error?: ReactNode;
}

const isRole = (text: string | null): text is Role => roleNames.some((role) => role === text);

export function RoleSelect({ value, onChange, ...input }: Props) {
  return (
    <Select
      data={roleNames.map((role) => ({ value: role, label: t(`role.${role}`) }))}
      value={value}
      onChange={(role) => {
        if (isRole(role)) onChange(role);
      }}
      allowDeselect={false}
      comboboxProps={{ width: 290, position: 'bottom-start' }}
      maxDropdownHeight={360}
      renderOption={({ option }) => (
        <div>
          <div>{option.label}</div>
          {isRole(option.value) && <div className="soft">{t(`team.may.${option.value}`)}</div>}
        </div>
      )}
      {...input}
    />
  );
}
