// The process of a runner on another machine than its server.

import type { JWK } from 'jose';
import type { RunnerConfig } from './config/runner-config.ts';
import { startRunner, type StartedRunner } from './start.ts';
import { prepareDataDir } from './workspace/data-dir.ts';
import type { Log } from '../node/log/log.ts';
import { trustAuthority } from './client/authority.ts';
import { becomeRunner, type Remote } from './client/identity.ts';

export interface RemoteRunner extends StartedRunner {
  name: string;
}

export async function startRemote(
  config: RunnerConfig,
  remote: Remote,
  log: Log,
): Promise<RemoteRunner> {
  await prepareDataDir(config);
  trustAuthority(config);
  const { identity, claim } = await becomeRunner(config, remote);
  const { name, credential, private_key: key, runner_id: id } = identity;
  const own = { ...config, publicUrl: config.publicUrl ?? remote.serverUrl };
  const server = { url: remote.serverUrl, proxies: config.proxies };
  const unique = `${claim.installation ?? remote.serverUrl} ${id}`;
  const place = { server, credential, privateKey: key as JWK, claim, identity: unique };
  return { name, ...(await startRunner(own, place, log)) };
}
