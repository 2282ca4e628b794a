import { type Template, templates } from '#shared/api/templates.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import { toast, toastError } from '../../ui/feedback/toast.ts';

/** Asks before a template is deleted; `dialog` is for `DeleteDialog`. */
export function useDeleteTemplate(projectId: number, onDeleted?: () => void) {
  const { t } = useTranslation();
  const deletion = useDelete<Pick<Template, 'id' | 'name'>>({
    projectId,
    refs: templates.refs,
    remove: templates.remove,
    refresh: [templates.list],
    params: ({ id }) => ({ project_id: projectId, template_id: id }),
    onDeleted: ({ name }) => {
      toast(t('template.deleted', { name }));
      onDeleted?.();
    },
    onFailed: toastError,
  });
  return {
    ask: deletion.ask,
    dialog: {
      ...deletion.dialog,
      title: t('template.delete'),
      text: t('template.delete_text', { name: deletion.thing?.name ?? '' }),
      refusal: t('references.refused', { object: t('template.object') }),
    },
  };
}
