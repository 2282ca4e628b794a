import type { Template } from '#shared/api/templates.ts';
import { kindOf } from '#shared/apps.ts';
import { t } from '../../lib/i18n.ts';
import { useDeletion } from '../../resources/use-deletion.tsx';
import { useObjectsInUse } from '../kept-states/kept-states.queries.ts';
import { templateResource } from './templates.queries.ts';

type DeletableTemplate = Pick<Template, 'id' | 'name' | 'app'>;

export const useDeleteTemplate = (projectId: number, onDeleted?: () => void) =>
  useDeletion(
    templateResource,
    { projectId },
    {
      onDeleted,
      renderText: (template: DeletableTemplate) => (
        <DeleteText projectId={projectId} template={template} />
      ),
    },
  );

/** Also lists the objects in Terraform states. */
function DeleteText({ projectId, template }: { projectId: number; template: DeletableTemplate }) {
  const { id: templateId, name, app } = template;
  const objects = useObjectsInUse({ projectId, templateId }, kindOf(app) === 'terraform');
  return [t('template.delete_text', { name }), objects].filter(Boolean).join(' ');
}
