// Links to the pages of templates, workflows and projects, and to rows of lists.

import { Link } from '@tanstack/react-router';

interface LinkProps {
  projectId: number;
  name: string | null;
  className?: string;
}

export const TemplateLink = ({
  projectId,
  templateId,
  name,
  ...link
}: LinkProps & { templateId: number }) => (
  <Link
    to="/project/$projectId/templates/$templateId"
    params={{ projectId, templateId }}
    title={name ?? ''}
    {...link}
  >
    {name}
  </Link>
);

export const WorkflowLink = ({
  projectId,
  workflowId,
  name,
  ...link
}: LinkProps & { workflowId: number }) => (
  <Link
    to="/project/$projectId/workflows/$workflowId"
    params={{ projectId, workflowId }}
    title={name ?? ''}
    {...link}
  >
    {name}
  </Link>
);

export const ProjectLink = ({ projectId, name }: LinkProps) => (
  <Link to="/project/$projectId" params={{ projectId }} title={name ?? ''}>
    {name}
  </Link>
);

interface TargetProps extends LinkProps {
  target: { template_id: number | null; workflow_id: number | null };
}

/** The template or workflow that a schedule or an integration starts. */
export function TargetLink({ target, ...link }: TargetProps) {
  const { template_id: templateId, workflow_id: workflowId } = target;
  if (workflowId !== null) return <WorkflowLink {...link} workflowId={workflowId} />;
  return templateId === null ? '—' : <TemplateLink {...link} templateId={templateId} />;
}

export const HostLink = ({ projectId, host }: { projectId: number; host: string }) => (
  <Link
    to="/project/$projectId/hosts/$host"
    params={{ projectId, host }}
    className="cut"
    title={host}
  >
    {host}
  </Link>
);

export type ResourceListName =
  | 'inventory'
  | 'environment'
  | 'execution-environments'
  | 'repositories';

interface ListLinkProps {
  projectId: number;
  list: ResourceListName;
  name: string;
}

/** A resource without a page of its own, as a link to its row in the list. */
export const ListLink = ({ projectId, list, name }: ListLinkProps) => (
  <Link to={`/project/$projectId/${list}`} params={{ projectId }} search={{ q: name }}>
    {name}
  </Link>
);
