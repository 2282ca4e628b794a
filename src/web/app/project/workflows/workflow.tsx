import { useNavigate, useParams } from '@tanstack/react-router';
import { WorkflowIntegrations } from '../../../features/integrations/workflow-integrations.tsx';
import { WorkflowSchedules } from '../../../features/schedules/workflow-schedules.tsx';
import { WorkflowPage } from '../../../features/workflows/page/workflow-page.tsx';
import { useEditAddress } from '../../address/edit-address.ts';
import { useTrail } from '../../address/list-address.ts';
import { useGraphAddress } from '../../address/graph-view.ts';
import { useLaunchWorkflow } from '../../dialogs/launch-workflow.tsx';
import { ObjectAccessButton } from '../object-access-button.tsx';
import { mayOn } from '../../../lib/roles/may.ts';
import { useAccess } from '../../session/access.ts';

const from = '/app/project/$projectId/workflows/$workflowId' as const;

export function WorkflowDetail() {
  const params = useParams({ from });
  const { projectId, workflowId } = params;
  const navigate = useNavigate({ from: '/project/$projectId/workflows/$workflowId' });
  const launch = useLaunchWorkflow();
  const may = mayOn(useAccess(projectId), 'workflow', workflowId);
  const maySchedule = may('schedule.edit');
  return (
    <WorkflowPage
      key={workflowId}
      projectId={projectId}
      workflowId={workflowId}
      may={may}
      view={useGraphAddress()}
      {...useTrail()}
      access={<ObjectAccessButton projectId={projectId} type="workflow" id={workflowId} />}
      onLaunch={() => launch(workflowId)}
      starters={
        <>
          <WorkflowSchedules
            projectId={projectId}
            workflowId={workflowId}
            mayManage={maySchedule}
            address={useEditAddress('schedule', maySchedule)}
          />
          <WorkflowIntegrations projectId={projectId} workflowId={workflowId} />
        </>
      }
      onEdit={() =>
        void navigate({
          to: '/project/$projectId/workflows/$workflowId/edit',
          params,
          search: {},
        })
      }
      onDeleted={() =>
        void navigate({
          to: '/project/$projectId/workflows',
          params: { projectId },
          search: {},
          replace: true,
        })
      }
    />
  );
}
