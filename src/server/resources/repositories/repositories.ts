import type { NewRepository, Repository, RepositoryAccess } from '#shared/api/repositories.ts';
import {
  localPath,
  readStatusPlace,
  repositoryType,
  type StatusHost,
} from '#shared/git/repository-url.ts';
import { isAllowedFolder } from '../../../runner/config/runner-config.ts';
import type { Context } from '../../context/context.ts';
import type { ListOptions } from '../../db/resource.ts';
import { record } from '../../events/events.ts';
import { checkAll, failFields, fieldError } from '../../lib/errors.ts';
import { hasKey, requireKey } from '../keys/keys.ts';
import { checkReferences, resource, type Target } from '../resource.ts';
import { hasAddress, listAllAddresses, repositoryStore } from './repositories.store.ts';
import { fromStored, toStored } from './stored-address.ts';

export { makeAddressesRelative } from './repositories.store.ts';

const repositories = resource(repositoryStore, 'repositories', 'repository');
export const removeRepository = repositories.remove;
export const repositoryRefs = repositories.refs;
export const hasRepository = repositoryStore.exists;

const withWholeAddress = <One extends Repository>({ config }: Context, repository: One): One => ({
  ...repository,
  git_url: fromStored(config, repository.git_url),
});

export const requireRepository: typeof repositories.require = async (ctx, projectId, id) =>
  withWholeAddress(ctx, await repositories.require(ctx, projectId, id));

export async function listRepositories(
  ctx: Context,
  projectId: number,
  options: ListOptions = {},
): Promise<Repository[]> {
  const list = await repositoryStore.list(ctx.db, projectId, options);
  return list.map((one) => withWholeAddress(ctx, one));
}

/** Empty when not configured, or when the repository is gone. */
export async function statusHostOf(
  { db }: Context,
  projectId: number,
  id: number,
): Promise<StatusHost | ''> {
  return (await repositoryStore.find(db, projectId, id))?.status_host ?? '';
}

export async function createRepository(
  ctx: Context,
  projectId: number,
  input: NewRepository,
): Promise<Repository> {
  await checkAll([
    () => refuseHttp(isHttpAllowed(ctx, input)),
    () => check(ctx, projectId, input),
    () => checkStatusKey(ctx, projectId, input),
  ]);
  const { status_host = '', status_key_id = null } = input;
  const values = toValues(ctx, { ...input, status_host, status_key_id });
  return withWholeAddress(ctx, await repositories.create(ctx, projectId, values));
}

export async function changeRepository(
  ctx: Context,
  target: Target,
  input: NewRepository,
): Promise<void> {
  await checkAll([
    () => refuseNewHttp(ctx, target.projectId, input),
    () => check(ctx, target.projectId, input),
    () => checkStatusKey(ctx, target.projectId, input),
  ]);
  const stored = await requireRepository(ctx, target.projectId, target.id);
  const { status_host = stored.status_host, status_key_id = stored.status_key_id } = input;
  await repositories.change(ctx, target, toValues(ctx, { ...input, status_host, status_key_id }));
}

/** Checks access to an address with a key, and records the inspection. */
export async function recordLook(
  ctx: Context,
  projectId: number,
  input: RepositoryAccess,
): Promise<void> {
  await checkAll([() => refuseNewHttp(ctx, projectId, input), () => check(ctx, projectId, input)]);
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

function refuseHttp(isAllowed: boolean): void {
  if (!isAllowed) throw failFields(fieldError('git_url', 'repository.url_incorrect'));
}

/** An http address may be kept. */
async function refuseNewHttp(
  ctx: Context,
  projectId: number,
  input: RepositoryAccess,
): Promise<void> {
  const isKept = isHttpAllowed(ctx, input) || (await hasAddress(ctx.db, projectId, input.git_url));
  refuseHttp(isKept);
}

const check = (ctx: Context, projectId: number, input: RepositoryAccess): Promise<void> =>
  checkAll([
    () => checkFolder(ctx, input),
    () => checkReferences(ctx, projectId, { ssh_key_id: [input.ssh_key_id, hasKey] }),
  ]);

function checkFolder({ config }: Context, { git_url: url }: RepositoryAccess): void {
  const folder = localPath(url);
  if (folder !== null && !isAllowedFolder(config, folder)) {
    throw failFields(fieldError('git_url', 'repository.local_not_allowed'));
  }
}

/** Checks the key with the token for commit statuses. */
async function checkStatusKey(
  ctx: Context,
  projectId: number,
  { status_key_id: id }: NewRepository,
): Promise<void> {
  if (id == null) return;
  await checkReferences(ctx, projectId, { status_key_id: [id, hasKey] });
  const { type } = await requireKey(ctx, projectId, id);
  if (type === 'login_password') return;
  throw failFields(fieldError('status_key_id', 'integration.secret_type'));
}

/** Clears the commit status settings of a repository without a supported host. */
function toValues<Values extends Pick<Repository, 'git_url' | 'status_host' | 'status_key_id'>>(
  { config }: Context,
  given: Values,
): Values {
  const isShown = given.status_host !== '' && readStatusPlace(given.git_url) !== null;
  const values = { ...given, git_url: toStored(config, given.git_url) };
  return isShown ? values : { ...values, status_host: '', status_key_id: null };
}

/** Null: of all projects. */
export async function listAddresses(
  ctx: Context,
  projectId: number | null,
): Promise<{ repositoryId: number; url: string }[]> {
  const rows = await listAllAddresses(ctx.db, projectId);
  return rows.map(({ id, git_url: url }) => ({
    repositoryId: id,
    url: fromStored(ctx.config, url),
  }));
}
