import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Integration } from '#shared/api/integrations.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { workflowQueries } from '../workflows/workflows.queries.ts';

/** Returns a function for the name of the template or workflow that an integration starts. */
export function useTargetName(projectId: number): (integration: Integration) => string {
  const templates = useQuery(templateQueries.list(projectId));
  const workflows = useQuery(workflowQueries.list(projectId));
  return ({ template_id: template, workflow_id: workflow }) => {
    const [list, id] = workflow === null ? [templates.data, template] : [workflows.data, workflow];
    return list?.find((one) => one.id === id)?.name ?? '—';
  };
}

export function TargetLink({ integration, name }: { integration: Integration; name: string }) {
  const { project_id: projectId, template_id: templateId, workflow_id: workflowId } = integration;
  if (workflowId !== null) {
    return (
      <Link
        to="/project/$projectId/workflows/$workflowId"
        params={{ projectId, workflowId }}
        title={name}
      >
        {name}
      </Link>
    );
  }
  if (templateId === null) return '—';
  return (
    <Link
      to="/project/$projectId/templates/$templateId"
      params={{ projectId, templateId }}
      title={name}
    >
      {name}
    </Link>
  );
}
