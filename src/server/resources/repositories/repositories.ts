import type { NewRepository, Repository, RepositoryAccess } from '#shared/api/repositories.ts';
import { localPath, repositoryType } from '#shared/repository-url.ts';
import { isAllowedFolder } from '../../../runner/system/config.ts';
import type { Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';
import { failFields, fieldError } from '../../lib/errors.ts';
import { hasKey, requireKey } from '../keys/keys.ts';
import { checkReferences, resource, type Target } from '../resource.ts';
import { hasAddress, listAllAddresses, repositoryStore } from './repositories.store.ts';

const repositories = resource(repositoryStore, 'repositories', 'repository');
export const requireRepository = repositories.require;
export const removeRepository = repositories.remove;
export const repositoryRefs = repositories.refs;
export const hasRepository = repositoryStore.exists;
export const listRepositories = repositoryStore.list;

export async function createRepository(
  ctx: Context,
  projectId: number,
  input: NewRepository,
): Promise<Repository> {
  if (!isHttpAllowed(ctx, input)) throw incorrectUrl();
  await check(ctx, projectId, input);
  return repositories.create(ctx, projectId, input);
}

export async function changeRepository(
  ctx: Context,
  target: Target,
  input: NewRepository,
): Promise<void> {
  await refuseNewHttp(ctx, target.projectId, input);
  await check(ctx, target.projectId, input);
  await repositories.change(ctx, target, input);
}

/** Whether the project may look at an address with this key; that it does is recorded. */
export async function recordLook(
  ctx: Context,
  projectId: number,
  input: RepositoryAccess,
): Promise<void> {
  await refuseNewHttp(ctx, projectId, input);
  await check(ctx, projectId, input);
  const key = await requireKey(ctx, projectId, input.ssh_key_id);
  await record(ctx, {
    code: 'repository.tried',
    projectId,
    object: { type: 'repository', id: null, name: input.git_url },
    params: { key: key.name },
  });
}

const isHttpAllowed = ({ config }: Context, { git_url: url }: RepositoryAccess): boolean =>
  config.httpRepositories || repositoryType(url) !== 'http';

const incorrectUrl = () => failFields(fieldError('git_url', 'repository.url_incorrect'));

/** An address of http that the project has already goes on working. */
async function refuseNewHttp(
  ctx: Context,
  projectId: number,
  input: RepositoryAccess,
): Promise<void> {
  const isKept = isHttpAllowed(ctx, input) || (await hasAddress(ctx.db, projectId, input.git_url));
  if (!isKept) throw incorrectUrl();
}

async function check(ctx: Context, projectId: number, input: RepositoryAccess): Promise<void> {
  const folder = localPath(input.git_url);
  if (folder !== null && !isAllowedFolder(ctx.config, folder)) {
    throw failFields(fieldError('git_url', 'repository.local_not_allowed'));
  }
  await checkReferences(ctx, projectId, { ssh_key_id: [input.ssh_key_id, hasKey] });
}

/** The repositories of all projects, and where they are. */
export async function listAddresses(
  ctx: Context,
): Promise<{ repositoryId: number; url: string }[]> {
  const rows = await listAllAddresses(ctx.db);
  return rows.map(({ id, git_url: url }) => ({ repositoryId: id, url }));
}
