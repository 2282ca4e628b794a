import { useParams } from '@tanstack/react-router';
import { ObjectAccessPage } from '../../../features/grants/object-access-page.tsx';
import { useEditAddress } from '../../address/edit-address.ts';
import { useAccess } from '../../session/access.ts';
import { renderZone } from '../../grants/render-zone.tsx';

export function ObjectAccess() {
  const from = '/app/project/$projectId/access/$type/$objectId' as const;
  const { projectId, type, objectId } = useParams({ from });
  const may = useAccess(projectId);
  const object = { type, id: objectId };
  return (
    <ObjectAccessPage
      key={`${type} ${objectId}`}
      projectId={projectId}
      object={object}
      may={may}
      renderZone={renderZone}
      address={useEditAddress('edit', may('grant.edit', object))}
    />
  );
}
