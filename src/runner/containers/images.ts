// Makes the image of a container available on the runner.

import { mkdir, rm, statfs } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import type { OpenKey } from '../api/run-secrets.ts';
import { stateOf } from '../../node/async/state-of.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { folderLocksOf } from '../config/folder-locks.ts';
import { ExecutionFailed } from '../execution/execution-failed.ts';
import { writeAnew, type Workspace } from '../workspace/workspace.ts';
import { askEngine, callEngine, type Engine } from './engine.ts';
import { notePulled, noteUsed } from './kept-images.ts';

export interface ImageFacts {
  /** Identifies the content. */
  digest: string;
  /** Its own variable, in which its programs are found. */
  path: string;
}

export interface ImageRequest {
  config: RunnerConfig;
  engine: Engine;
  execution: Pick<ExecutionSnapshot, 'image' | 'pull' | 'registry_key_id'>;
  /** The login of the registry. */
  login: OpenKey;
  workspace: Pick<Workspace, 'secretPath'>;
  signal: AbortSignal;
  say: (lines: string[]) => Promise<void>;
}

/** Those that are on the runner, by their names. An image that was replaced is noticed when it has run once. */
const knownOf = stateOf((_config: RunnerConfig) => new Map<string, ImageFacts>());

/** The image, if tasks have used it here before and its policy allows to use it again; null: it is to be provided. */
export async function findKnownImage(
  config: RunnerConfig,
  { image, pull }: ImageRequest['execution'],
): Promise<ImageFacts | null> {
  const known = pull === 'always' ? null : knownOf(config).get(image);
  if (!known) return null;
  await noteUsed(config, image);
  return known;
}

/** Pulls the image if its policy says so. Throws `ExecutionFailed`. */
export async function provideImage(request: ImageRequest): Promise<ImageFacts> {
  const { config, execution, signal } = request;
  const { image } = execution;
  const known = await findKnownImage(config, execution);
  if (known) return known;
  await noteUsed(config, image);
  // Several tasks that need the same image pull it once.
  const lock = `image ${image}`;
  return folderLocksOf(config).runExclusive(lock, () => findOrPull(request), signal);
}

async function findOrPull(request: ImageRequest): Promise<ImageFacts> {
  const { config, engine, execution } = request;
  const { image, pull } = execution;
  const found = await refreshImage(config, engine, image);
  if (found && pull !== 'always') return found;
  if (pull === 'never') throw new ExecutionFailed('failure.image_missing', { image });
  await pullImage(request);
  await notePulled(config, image);
  const pulled = await refreshImage(config, engine, image);
  if (!pulled) throw new ExecutionFailed('failure.image_pull', { image });
  return pulled;
}

interface Inspected {
  Id?: string;
  Digest?: string;
  RepoDigests?: string[] | null;
  Architecture?: string;
  Config?: { Env?: string[] | null } | null;
}

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Asks the engine for the image again; null: the runner does not have it. */
export async function refreshImage(
  config: RunnerConfig,
  engine: Engine,
  image: string,
): Promise<ImageFacts | null> {
  const known = knownOf(config);
  const answer = await askEngine(engine, ['image', 'inspect', '--', image]);
  const found = (answer as Inspected[] | null)?.[0];
  if (!found) {
    known.delete(image);
    return null;
  }
  checkArchitecture(image, found.Architecture);
  const variables = found.Config?.Env ?? [];
  const path = variables.find((one) => one.startsWith('PATH='))?.slice('PATH='.length);
  const digest = found.RepoDigests?.[0]?.split('@')[1] ?? found.Digest ?? found.Id ?? '';
  const facts = { digest, path: path ?? usualPath };
  known.set(image, facts);
  return facts;
}

/** The names of Node's architectures for images. */
const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64', ppc64: 'ppc64le' };

function checkArchitecture(image: string, has: string | undefined): void {
  const needs = architectures[arch()] ?? arch();
  if (!has || has === needs) return;
  throw new ExecutionFailed('failure.image_architecture', { image, has, needs });
}

async function pullImage(request: ImageRequest): Promise<void> {
  const { config, engine, execution, signal, say } = request;
  const { image } = execution;
  const seconds = config.containers.pullSeconds;
  await say([`Pulling the image ${image}`]);
  const options = await writeLogin(request);
  const late = AbortSignal.timeout(seconds * 1000);
  try {
    const args = pullArguments(engine, image, options);
    const { exitCode, stderr } = await callEngine(engine, args, AbortSignal.any([signal, late]));
    signal.throwIfAborted();
    if (late.aborted) throw new ExecutionFailed('failure.image_pull_timeout', { image, seconds });
    if (exitCode === 0) return;
    await say(stderr.split('\n').filter((line) => line.trim() !== ''));
    throw await pullFailure(request);
  } finally {
    if (options) await rm(options, { recursive: true, force: true });
  }
}

const MIB = 1024 * 1024;
const MIN_FREE_MIB = 64;

async function pullFailure({ engine, execution, login }: ImageRequest): Promise<ExecutionFailed> {
  const { image } = execution;
  const folder = engine.store ?? '/';
  const space = await statfs(folder).catch(() => null);
  const free = space ? Math.floor((space.bavail * space.bsize) / MIB) : Infinity;
  if (free < MIN_FREE_MIB) {
    return new ExecutionFailed('failure.image_store_full', {
      image,
      folder,
      mib: free,
    });
  }
  const code = login.type === 'login_password' ? 'failure.image_pull_login' : 'failure.image_pull';
  return new ExecutionFailed(code, { image });
}

const pullArguments = (engine: Engine, image: string, login: string | null): string[] =>
  engine.name === 'podman'
    ? ['pull', '--quiet', ...(login ? ['--authfile', join(login, 'config.json')] : []), '--', image]
    : [...(login ? ['--config', login] : []), 'pull', '--quiet', '--', image];

/** Writes the login of the registry into a folder in memory that only the runner can read; null: none. */
async function writeLogin({ execution, login, workspace }: ImageRequest): Promise<string | null> {
  if (login.type !== 'login_password') return null;
  const folder = workspace.secretPath('registry');
  await mkdir(folder, { mode: 0o700 });
  const auth = Buffer.from(`${login.login}:${login.password}`).toString('base64');
  const auths = Object.fromEntries(registryNames(execution.image).map((name) => [name, { auth }]));
  await writeAnew(join(folder, 'config.json'), JSON.stringify({ auths }), 0o600);
  return folder;
}

/** Images without a registry in their name are those of Docker Hub, which has two names in such files. */
function registryNames(image: string): string[] {
  const [first = '', ...rest] = image.split('/');
  const isRegistry =
    rest.length > 0 && (first.includes('.') || first.includes(':') || first === 'localhost');
  return isRegistry ? [first] : ['docker.io', 'https://index.docker.io/v1/'];
}
