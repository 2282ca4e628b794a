import { useQuery } from '@tanstack/react-query';
import { keptStates } from '#shared/api/kept-states.ts';
import { t } from '../../lib/i18n.ts';
import { query, send } from '../../lib/query.ts';
import { objectsInUse } from './state-words.ts';

export const keptStateQueries = {
  list: (projectId: number, templateId: number) =>
    query(keptStates.list, { params: { project_id: projectId, template_id: templateId } }),
  ofProject: (projectId: number) =>
    query(keptStates.ofProject, { params: { project_id: projectId } }),
};
export const takeState = () => send(keptStates.take, { refresh: [keptStates.list] });

/**
 * For the dialogs that delete a project or template: the objects in the Terraform states, and the
 * runners that did not respond.
 */
export function useObjectsInUse(
  { projectId, templateId }: { projectId: number; templateId: number | null },
  isAsked: boolean,
): string | null {
  const options = { staleTime: 0, retry: false };
  const project = useQuery({
    ...keptStateQueries.ofProject(projectId),
    ...options,
    enabled: isAsked && templateId === null,
  });
  const template = useQuery({
    ...keptStateQueries.list(projectId, templateId ?? 0),
    ...options,
    enabled: isAsked && templateId !== null,
  });
  const { data } = templateId === null ? project : template;
  if (!data) return null;
  const found = objectsInUse(data.states);
  const words = [
    found && t('kept_state.deleted_objects', found),
    data.silent.length > 0 && t('kept_state.silent', { runners: data.silent.join(', ') }),
  ].filter(Boolean);
  return words.length > 0 ? words.join(' ') : null;
}
