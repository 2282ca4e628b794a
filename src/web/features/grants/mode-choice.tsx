import { useMutation } from '@tanstack/react-query';
import type { RestrictionMode } from '#shared/api/grants.ts';
import { t } from '../../lib/i18n.ts';
import { useOptimisticValue } from '../../lib/use-optimistic-value.ts';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { Select } from '../../ui/forms/select.ts';
import { type ObjectRef, setRestriction } from './grants.queries.ts';
import { useRestrictions } from './use-restrictions.ts';

interface Props {
  projectId: number;
  object: ObjectRef;
}

const modes = ['open', 'named', 'hidden'] as const satisfies RestrictionMode[];

/** Whether the roles of the project decide about an object, or who else knows of it. */
export function ModeChoice({ projectId, object }: Props) {
  const stored = useRestrictions(projectId).find(
    ({ object_type: type, object_id: id }) => type === object.type && id === object.id,
  );
  const { mutate } = useMutation(setRestriction());
  const { shown, ask, settle } = useOptimisticValue<RestrictionMode>(stored?.mode ?? 'open');
  const change = (mode: RestrictionMode) => {
    ask(mode);
    const body = { object_type: object.type, object_id: object.id, mode };
    mutate(
      { params: { project_id: projectId }, body },
      { onError: toastFailure, onSettled: settle },
    );
  };
  return (
    <div style={{ maxWidth: 440 }}>
      <Select
        label={t('access.mode.label')}
        description={t('access.mode.text')}
        data={modes.map((mode) => ({ value: mode, label: t(`access.mode.${mode}`) }))}
        value={shown}
        allowDeselect={false}
        onChange={(mode) => change(mode as RestrictionMode)}
      />
    </div>
  );
}
