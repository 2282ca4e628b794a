import { access, type Grant, type GrantFilter, grants, restrictions } from '#shared/api/grants.ts';
import { pathOf } from '#shared/api/path.ts';
import { projects } from '#shared/api/projects.ts';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import { query, queryPage, send } from '../../lib/query.ts';
import { defineResource, type ProjectScope } from '../../resources/resource.ts';
import type { GrantScope } from './grant-scope.ts';

/** An object of the project. */
export interface ObjectRef {
  type: GrantedType;
  id: number;
}

type Named = Pick<Grant, 'id' | 'user_name' | 'object_name'>;

export const grantResource = defineResource<typeof grants, Named, GrantScope & ProjectScope>({
  noun: 'grant',
  endpoints: grants,
  alsoRefresh: [access.ofObject, access.ofUser, projects.rights],
  nameOf: ({ user_name: user, object_name: object }) => `${user} · ${object}`,
});

const pageSize = 50;

export const grantQueries = {
  page: (projectId: number, filter: GrantFilter, before: number | undefined) =>
    queryPage(grants.list, {
      params: { project_id: projectId },
      query: { ...filter, before, limit: pageSize },
    }),
  restrictions: (projectId: number) =>
    query(restrictions.list, { params: { project_id: projectId } }),
  ofObject: (projectId: number, { type, id }: ObjectRef) =>
    query(access.ofObject, { params: { project_id: projectId, object_type: type, object_id: id } }),
  ofUser: (projectId: number, userId: number) =>
    query(access.ofUser, { params: { project_id: projectId, user_id: userId } }),
};

export const setRestriction = () =>
  send(restrictions.set, {
    refresh: [restrictions.list, access.ofObject, access.ofUser, projects.rights],
  });

export const exportPath = (projectId: number, filter: GrantFilter): string =>
  pathOf(grants.export, { params: { project_id: projectId }, query: filter });
