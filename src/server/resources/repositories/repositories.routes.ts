import {
  repositories,
  type RepositoryAccess,
  type Repository,
  type RepositoryBranches,
  type RepositoryFiles,
} from '#shared/api/repositories.ts';
import { type AppKind, kindOf } from '#shared/apps.ts';
import type { Context } from '../../context/context.ts';
import { fail } from '../../lib/errors.ts';
import type { Http } from '../../http/serve.ts';
import {
  changeRepository,
  createRepository,
  removeRepository,
  repositoryRefs,
  listRepositories,
  requireRepository,
} from './repositories.ts';

interface RepositoryInspections {
  listBranches: (
    ctx: Context,
    projectId: number,
    access: RepositoryAccess,
  ) => Promise<RepositoryBranches>;
  listFiles: (
    ctx: Context,
    wanted: { repository: Repository; branch: string; kind: AppKind },
  ) => Promise<RepositoryFiles>;
}

export function repositoryRoutes(
  http: Http,
  { listBranches, listFiles }: RepositoryInspections,
): void {
  http.serve(repositories.branches, ({ ctx, params, body }) =>
    listBranches(ctx, params.project_id, body),
  );
  http.serve(repositories.branchesOf, async ({ ctx, params }) => {
    const { project_id: projectId, repository_id: id } = params;
    const { git_url, ssh_key_id } = await requireRepository(ctx, projectId, id);
    const { branches, failure } = await listBranches(ctx, projectId, { git_url, ssh_key_id });
    if (failure !== null) throw fail('repository.unreachable', { reason: failure });
    return branches;
  });
  http.serve(repositories.files, async ({ ctx, params, query: { branch, app } }) => {
    const { project_id: projectId, repository_id: id } = params;
    const repository = await requireRepository(ctx, projectId, id);
    const wanted = { branch: branch || repository.git_branch, kind: kindOf(app || 'ansible') };
    return listFiles(ctx, { repository, ...wanted });
  });
  http.serve(repositories.list, ({ ctx, params, query }) =>
    listRepositories(ctx, params.project_id, query),
  );
  http.serve(repositories.create, ({ ctx, params, body }) =>
    createRepository(ctx, params.project_id, body),
  );
  http.serve(repositories.one, ({ ctx, params }) =>
    requireRepository(ctx, params.project_id, params.repository_id),
  );
  http.serve(repositories.update, ({ ctx, params, body, ifMatch }) => {
    const { project_id: projectId, repository_id: id } = params;
    return changeRepository(ctx, { projectId, id, revision: ifMatch }, body);
  });
  http.serve(repositories.refs, ({ ctx, params }) =>
    repositoryRefs(ctx, params.project_id, params.repository_id),
  );
  http.serve(repositories.remove, ({ ctx, params }) =>
    removeRepository(ctx, params.project_id, params.repository_id),
  );
}
