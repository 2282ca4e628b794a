import { Link } from '@tanstack/react-router';
import type { GrantedType } from '#shared/grants/granted-types.ts';

const places: Record<GrantedType, (id: number, name: string) => string> = {
  template: (id) => `templates/${id}`,
  workflow: (id) => `workflows/${id}`,
  view: (id) => `views/${id}/templates`,
  inventory: listed('inventory'),
  key: listed('keys'),
  environment: listed('environment'),
  repository: listed('repositories'),
  execution_environment: listed('execution-environments'),
};

function listed(list: string) {
  return (_id: number, name: string) => `${list}?q=${encodeURIComponent(name)}`;
}

const addressOf = (projectId: number, type: GrantedType, id: number, name: string): string =>
  `/project/${projectId}/${places[type](id, name)}`;

interface Props {
  projectId: number;
  type: GrantedType;
  id: number;
  name: string;
}

/** Leads to the page of an object, or to its row in its list. */
export const ObjectLink = ({ projectId, type, id, name }: Props) => (
  <Link to={addressOf(projectId, type, id, name)} title={name}>
    {name}
  </Link>
);
