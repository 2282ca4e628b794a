import type { GrantedType } from '#shared/grants/granted-types.ts';
import { AccessButton } from '../../features/grants/access-link.tsx';
import { useAccess } from '../session/access.ts';

interface Props {
  projectId: number;
  type: GrantedType;
  id: number;
}

/** Leads to who may do what with an object, for users who give access to it. */
export function ObjectAccessButton({ projectId, type, id }: Props) {
  const mayGive = useAccess(projectId)('grant.edit', { type, id });
  return mayGive && <AccessButton projectId={projectId} object={{ type, id }} />;
}
