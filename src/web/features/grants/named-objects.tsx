import type { GrantedType } from '#shared/grants/granted-types.ts';
import { t } from '../../lib/i18n.ts';
import { useRestrictions } from './use-restrictions.ts';

interface Props {
  projectId: number;
  types: readonly GrantedType[];
}

/** Below a list: the objects of the kinds of which the user knows the names only. */
export function NamedObjects({ projectId, types }: Props) {
  const names = useRestrictions(projectId)
    .filter(({ seen, object_type: type }) => !seen && types.includes(type))
    .map(({ object_name: name }) => name);
  if (names.length === 0) return null;
  return <p className="soft small break py-12">{t('access.also', { names: names.join(', ') })}</p>;
}
