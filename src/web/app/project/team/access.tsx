import { useNavigate, useSearch } from '@tanstack/react-router';
import { useParams } from '@tanstack/react-router';
import type { GrantFilter } from '#shared/api/grants.ts';
import { GrantList } from '../../../features/grants/grant-list.tsx';
import { useEditAddress } from '../../address/edit-address.ts';
import { useTrail } from '../../address/list-address.ts';
import { useAccess } from '../../session/access.ts';
import { renderZone } from '../../grants/render-zone.tsx';
import { TeamTabs } from './team-tabs.tsx';

const from = '/app/project/$projectId/team/access' as const;

export function TeamAccess() {
  const { projectId } = useParams({ from });
  const { user, type, q } = useSearch({ from });
  const navigate = useNavigate({ from: '/project/$projectId/team/access' });
  const may = useAccess(projectId);
  const filter: GrantFilter = { user_id: user, object_type: type, q };
  return (
    <GrantList
      key={projectId}
      projectId={projectId}
      filter={filter}
      onFilter={(wanted) =>
        void navigate({
          search: { user: wanted.user_id, type: wanted.object_type, q: wanted.q },
          // Typing must not add an entry to the browser's history for each letter.
          replace: wanted.q !== q,
          resetScroll: false,
        })
      }
      may={may}
      renderZone={renderZone}
      tabs={<TeamTabs projectId={projectId} />}
      address={useEditAddress('edit', may('grant.edit', 'somewhere'))}
      {...useTrail()}
    />
  );
}
