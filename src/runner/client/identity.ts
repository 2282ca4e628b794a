// The identity of a runner on another machine: a file in its data folder, written when it registers.

import { generateKeyPairSync } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { runnerApiEndpoints, type PublicKey } from '#shared/api/runner-api.ts';
import { ConfigError } from '../../node/config-error.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { version } from '../../node/process/version.ts';
import { ServerUnavailableError } from '../api/server-unavailable.ts';
import { createServerClient, RefusedRequestError } from './server-client.ts';

const identity = z.object({
  server: z.string(),
  runner_id: z.number(),
  name: z.string(),
  credential: z.string(),
  /** A JSON Web Key. */
  private_key: z.record(z.string(), z.unknown()),
  /** Absent: not known yet. */
  installation: z.string().optional(),
});
export type Identity = z.output<typeof identity>;

export interface Remote {
  /** Without a slash at the end. */
  serverUrl: string;
  /** The registration token; null: not set. */
  token: string | null;
}

const fileOf = ({ dataDir }: RunnerConfig): string => join(dataDir, 'runner.json');

async function readIdentity(config: RunnerConfig): Promise<Identity | null> {
  try {
    return identity.parse(JSON.parse(await readFile(fileOf(config), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError(
      `${fileOf(config)} cannot be read. Remove it, make a new token for this runner, and start again with it.`,
      { cause: error },
    );
  }
}

/** An identity with the installation that it belongs to. */
export interface Entered {
  identity: Identity;
  claim: { installation: string | null; isNew: boolean };
}

/** Uses the identity of the data folder if the server accepts it; otherwise registers with the token. */
export async function becomeRunner(config: RunnerConfig, remote: Remote): Promise<Entered> {
  const known = await readIdentity(config);
  if (known?.server === remote.serverUrl) {
    const asked = await askInstallation(config, known);
    if (asked !== 'refused') return nameInstallation(config, known, { asked, isNew: false });
  }
  if (remote.token === null) {
    throw new ConfigError(
      `${remote.serverUrl} does not know this runner. Make a token for it on the page "Runners", and start again with it as SIGNALBOX_RUNNER_TOKEN.`,
    );
  }
  const made = await enter(config, remote.serverUrl, remote.token);
  const asked = await askInstallation(config, made);
  // Without an earlier identity, the data folder has no data of another installation.
  const isNew = known !== null;
  return nameInstallation(config, made, { asked: asked === 'refused' ? null : asked, isNew });
}

async function nameInstallation(
  config: RunnerConfig,
  known: Identity,
  { asked, isNew }: { asked: string | null; isNew: boolean },
): Promise<Entered> {
  const installation = asked ?? known.installation ?? null;
  const claim = { installation, isNew };
  if (installation === null || installation === known.installation) {
    return { identity: known, claim };
  }
  const named = { ...known, installation };
  await writeIdentity(config, named);
  return { identity: named, claim };
}

/**
 * The installation of this runner; `refused`: the server does not accept the runner. Null: the server's version
 * does not report it, or the server is unreachable, since it may be restarting.
 */
async function askInstallation(
  { proxies }: RunnerConfig,
  { server: url, credential }: Identity,
): Promise<string | null> {
  try {
    const body = { mirrors: [], projects: [], homes: [] };
    const callServer = createServerClient({ url, proxies }, credential);
    const reply = await callServer(runnerApiEndpoints.filterExisting, { body });
    return reply.installation ?? null;
  } catch (error) {
    return error instanceof ServerUnavailableError ? null : 'refused';
  }
}

async function enter(config: RunnerConfig, server: string, token: string): Promise<Identity> {
  const pair = generateKeyPairSync('x25519');
  const body = {
    token,
    public_key: pair.publicKey.export({ format: 'jwk' }) as PublicKey,
    version,
    max_parallel_tasks: config.maxParallelTasks,
  };
  const callServer = createServerClient({ url: server, proxies: config.proxies }, null);
  const registered = await callServer(runnerApiEndpoints.register, { body }).catch(
    (cause: unknown) => {
      const isAnswer =
        cause instanceof RefusedRequestError || cause instanceof ServerUnavailableError;
      const words = isAnswer ? cause.message : 'It does not answer as a server of Signalbox does.';
      throw new ConfigError(`${server} does not let this runner in: ${words}`, { cause });
    },
  );
  const made = {
    server,
    ...registered,
    private_key: { ...pair.privateKey.export({ format: 'jwk' }) },
  };
  await writeIdentity(config, made);
  return identity.parse(made);
}

async function writeIdentity(config: RunnerConfig, made: Identity): Promise<void> {
  const file = fileOf(config);
  await writeFile(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
