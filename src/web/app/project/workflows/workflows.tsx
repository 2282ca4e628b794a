import { useNavigate, useParams } from '@tanstack/react-router';
import { WorkflowList } from '../../../features/workflows/list/workflow-list.tsx';
import { useLaunchWorkflow } from '../../dialogs/launch-workflow.tsx';
import { useListAddress } from '../../address/list-address.ts';
import { NamedObjects } from '../../../features/grants/named-objects.tsx';
import { useRestrictedMark } from '../../../features/grants/object-mark.tsx';
import { useAccess } from '../../session/access.ts';

export function Workflows() {
  const { projectId } = useParams({ from: '/app/project/$projectId/workflows' });
  const navigate = useNavigate();
  const may = useAccess(projectId);
  return (
    <WorkflowList
      key={projectId}
      projectId={projectId}
      may={may}
      renderMark={useRestrictedMark(projectId, 'workflow')}
      below={<NamedObjects projectId={projectId} types={['workflow']} />}
      address={useListAddress(false)}
      onLaunch={useLaunchWorkflow()}
      onEdit={(workflowId) =>
        void navigate({
          to: '/project/$projectId/workflows/$workflowId/edit',
          params: { projectId, workflowId },
        })
      }
    />
  );
}
