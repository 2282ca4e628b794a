import { useQuery } from '@tanstack/react-query';
import type { Integration } from '#shared/api/integrations.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { workflowQueries } from '../workflows/workflows.queries.ts';
import { TargetLink } from '../../resources/links.tsx';

/** Returns a function for the name of the template or workflow that an integration starts. */
export function useTargetName(projectId: number): (integration: Integration) => string {
  const templates = useQuery(templateQueries.list(projectId));
  const workflows = useQuery(workflowQueries.list(projectId));
  return ({ template_id: template, workflow_id: workflow }) => {
    const [list, id] = workflow === null ? [templates.data, template] : [workflows.data, workflow];
    return list?.find((one) => one.id === id)?.name ?? '—';
  };
}

export const IntegrationTarget = (props: { integration: Integration; name: string }) => (
  <TargetLink
    projectId={props.integration.project_id}
    target={props.integration}
    name={props.name}
  />
);
