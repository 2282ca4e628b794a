import { type Template, templates } from '#shared/api/templates.ts';
import { kindOf } from '#shared/apps.ts';
import { useObjectsInUse } from '../kept-states/kept-states.queries.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDelete } from '../../lib/use-delete.ts';
import { toast, toastError } from '../../ui/feedback/toast.ts';

/** Asks before a template is deleted; `dialog` is for `DeleteDialog`. */
export function useDeleteTemplate(projectId: number, onDeleted?: () => void) {
  const { t } = useTranslation();
  const deletion = useDelete<Pick<Template, 'id' | 'name' | 'app'>>({
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
  const { thing, dialog } = deletion;
  const asked = { projectId, templateId: thing?.id ?? 0 };
  const isTerraform = thing !== null && kindOf(thing.app) === 'terraform';
  const objects = useObjectsInUse(asked, dialog.opened && isTerraform);
  const text = t('template.delete_text', { name: thing?.name ?? '' });
  return {
    ask: deletion.ask,
    dialog: {
      ...dialog,
      title: t('template.delete'),
      text: objects === null ? text : `${text} ${objects}`,
      refusal: t('references.refused', { object: t('template.object') }),
    },
  };
}
