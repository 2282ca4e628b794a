import { useNavigate } from '@tanstack/react-router';
import { workflowCells } from '../../features/workflows/list/workflow-cells.tsx';
import { workflowResource } from '../../features/workflows/workflows.queries.ts';
import { useDeletion } from '../../resources/use-deletion.tsx';
import { useLaunchWorkflow } from '../dialogs/launch-workflow.tsx';
import { useRestrictedMark } from '../../features/grants/object-mark.tsx';
import { useAccess } from '../session/access.ts';

/** The cells of workflows in the list of templates, and the dialog that deletes one. */
export function useWorkflowRows(projectId: number) {
  const navigate = useNavigate();
  const onLaunch = useLaunchWorkflow();
  const may = useAccess(projectId);
  const renderMark = useRestrictedMark(projectId, 'workflow');
  const deletion = useDeletion(workflowResource, { projectId });
  const cells = (isNarrow: boolean) =>
    workflowCells({
      may,
      renderMark,
      onLaunch,
      onEdit: (workflowId) =>
        void navigate({
          to: '/project/$projectId/workflows/$workflowId/edit',
          params: { projectId, workflowId },
        }),
      onDelete: deletion.ask,
      isNarrow,
    });
  return { cells, dialog: deletion.dialog };
}
