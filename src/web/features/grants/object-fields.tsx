import type { ComponentProps } from 'react';
import { type GrantedType, grantedTypes } from '#shared/grants/granted-types.ts';
import { t } from '../../lib/i18n.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { Select } from '../../ui/forms/select.ts';
import { kindName } from './kind-name.ts';
import { useObjectChoices } from './object-choices.ts';

interface Props {
  projectId: number;
  type: GrantedType;
  onType: (type: GrantedType) => void;
  /** Of the object. */
  input: Omit<ComponentProps<typeof IdSelect>, 'label' | 'items'>;
  /** Whether the user may choose an object. */
  isOffered?: (id: number) => boolean;
}

/** An object of a project, by its kind. */
export function ObjectFields({ projectId, type, onType, input, isOffered = () => true }: Props) {
  const objects = useObjectChoices(projectId, type)?.filter(({ id }) => isOffered(id));
  return (
    <>
      <Select
        label={t('access.kind')}
        data={grantedTypes.map((value) => ({ value, label: kindName(value) }))}
        value={type}
        onChange={(next) => onType(next as GrantedType)}
        allowDeselect={false}
      />
      <IdSelect
        key={`${projectId} ${type}`}
        label={t('access.object')}
        required
        items={objects}
        {...input}
      />
    </>
  );
}
