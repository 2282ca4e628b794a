import { useQuery } from '@tanstack/react-query';
import type { Template } from '#shared/api/templates.ts';
import { kindOf } from '#shared/apps.ts';
import { t } from '../../lib/i18n.ts';
import { useDeletion } from '../../resources/use-deletion.tsx';
import { taskQueries } from '../tasks/tasks.queries.ts';
import { useObjectsInUse } from '../kept-states/kept-states.queries.ts';
import { templateResource } from './templates.queries.ts';

type DeletableTemplate = Pick<Template, 'id' | 'name' | 'app'>;

export const useDeleteTemplate = (projectId: number, onDeleted?: () => void) =>
  useDeletion(
    templateResource,
    { projectId },
    {
      onDeleted,
      lossesOf: ({ id }) => taskQueries.count(projectId, { template: id }),
      renderText: (template: DeletableTemplate) => (
        <DeleteText projectId={projectId} template={template} />
      ),
    },
  );

/** Also counts the tasks, and lists the objects in Terraform states. */
function DeleteText({ projectId, template }: { projectId: number; template: DeletableTemplate }) {
  const { id: templateId, name, app } = template;
  const objects = useObjectsInUse({ projectId, templateId }, kindOf(app) === 'terraform');
  const { data } = useQuery(taskQueries.count(projectId, { template: templateId }));
  const number = data?.count ?? 0;
  const tasks = number > 0 && t('template.delete_tasks', { number });
  return [t('template.delete_text', { name }), tasks, objects].filter(Boolean).join(' ');
}
