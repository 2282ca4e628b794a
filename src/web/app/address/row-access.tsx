import type { GrantedType } from '#shared/grants/granted-types.ts';
import { AccessRowLink } from '../../features/grants/access-link.tsx';
import { NamedObjects } from '../../features/grants/named-objects.tsx';
import { useRestrictedMark } from '../../features/grants/object-mark.tsx';
import type { May } from '../../lib/roles/may.ts';
import type { RowAccess } from '../../resources/resource-list.tsx';

/** What a list of objects of a kind shows about the access to them; undefined for other lists. */
export function useRowAccess(
  projectId: number,
  type: GrantedType | undefined,
  may: May,
): RowAccess | undefined {
  const renderMark = useRestrictedMark(projectId, type);
  if (type === undefined) return undefined;
  return {
    renderMark: ({ id }) => renderMark(id),
    renderLink: ({ id, name }) =>
      may('grant.edit', { type, id }) && (
        <AccessRowLink projectId={projectId} object={{ type, id }} name={name} />
      ),
    hasLinks: may('grant.edit', 'somewhere'),
    below: <NamedObjects projectId={projectId} types={[type]} />,
  };
}
