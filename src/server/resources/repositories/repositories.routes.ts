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
  http.serve(repositories.branches, ({ ctx, projectId, body }) =>
    listBranches(ctx, projectId, body),
  );
  http.serve(repositories.branchesOf, async ({ ctx, projectId, id }) => {
    const { git_url, ssh_key_id } = await requireRepository(ctx, projectId, id);
    const { branches, failure } = await listBranches(ctx, projectId, { git_url, ssh_key_id });
    if (failure !== null) throw fail('repository.unreachable', { reason: failure });
    return branches;
  });
  http.serve(repositories.files, async ({ ctx, projectId, id, query: { branch, app } }) => {
    const repository = await requireRepository(ctx, projectId, id);
    const wanted = { branch: branch || repository.git_branch, kind: kindOf(app || 'ansible') };
    return listFiles(ctx, { repository, ...wanted });
  });
  http.serve(repositories.list, ({ ctx, projectId, query }) =>
    listRepositories(ctx, projectId, query),
  );
  http.serve(repositories.create, ({ ctx, projectId, body }) =>
    createRepository(ctx, projectId, body),
  );
  http.serve(repositories.one, ({ ctx, projectId, id }) => requireRepository(ctx, projectId, id));
  http.serve(repositories.update, ({ ctx, projectId, id, body, ifMatch: revision }) =>
    changeRepository(ctx, { projectId, id, revision }, body),
  );
  http.serve(repositories.refs, ({ ctx, projectId, id }) => repositoryRefs(ctx, projectId, id));
  http.serve(repositories.remove, ({ ctx, projectId, id }) => removeRepository(ctx, projectId, id));
}
