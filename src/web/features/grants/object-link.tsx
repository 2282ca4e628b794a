import { Link } from '@tanstack/react-router';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import { kindName } from './kind-name.ts';

/** The lists of the objects of a project, below its address. */
const lists: Record<GrantedType, string> = {
  template: 'templates',
  workflow: 'workflows',
  view: 'templates',
  inventory: 'inventory',
  key: 'keys',
  environment: 'environment',
  repository: 'repositories',
  execution_environment: 'execution-environments',
};

function placeOf(type: GrantedType, id: number, name: string): string {
  if (type === 'view') return `views/${id}/templates`;
  const hasPage = type === 'template' || type === 'workflow';
  return hasPage ? `${lists[type]}/${id}` : `${lists[type]}?q=${encodeURIComponent(name)}`;
}

interface KindProps {
  projectId: number;
  type: GrantedType;
}

/** Leads to the list of the objects of a kind. */
export function KindLink({ projectId, type }: KindProps) {
  const address: string = `/project/${projectId}/${lists[type]}`;
  return <Link to={address}>{kindName(type)}</Link>;
}

interface Props extends KindProps {
  id: number;
  name: string;
}

/** Leads to the page of an object, or to its row in its list. */
export function ObjectLink({ projectId, type, id, name }: Props) {
  const address: string = `/project/${projectId}/${placeOf(type, id, name)}`;
  return (
    <Link to={address} title={name}>
      {name}
    </Link>
  );
}
