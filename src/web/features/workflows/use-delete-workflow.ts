import { type Workflow, workflows } from '#shared/api/workflows.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import { toast, toastError } from '../../ui/feedback/toast.ts';

/** Asks before a workflow is deleted; `dialog` is for `DeleteDialog`. */
export function useDeleteWorkflow(projectId: number, onDeleted?: () => void) {
  const { t } = useTranslation();
  const deletion = useDelete<Pick<Workflow, 'id' | 'name'>>({
    projectId,
    refs: workflows.refs,
    remove: workflows.remove,
    refresh: [workflows.list],
    params: ({ id }) => ({ project_id: projectId, workflow_id: id }),
    onDeleted: ({ name }) => {
      toast(t('workflow.deleted', { name }));
      onDeleted?.();
    },
    onFailed: toastError,
  });
  return {
    ask: deletion.ask,
    dialog: {
      ...deletion.dialog,
      title: t('workflow.delete'),
      text: t('workflow.delete_text', { name: deletion.thing?.name ?? '' }),
      refusal: t('references.refused', { object: t('workflow.object') }),
    },
  };
}
