// The identity of a runner on another machine: a file in its data folder, written when it registers.

import { generateKeyPairSync } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { z } from 'zod';
import { runnerDesk, type PublicKey } from '#shared/api/runner-desk.ts';
import { ConfigError, type RunnerConfig } from '../system/config.ts';
import { version } from '../system/version.ts';
import { ServerAway } from '../desk/away.ts';
import { createAsk, Refusal } from './ask.ts';

const identity = z.object({
  server: z.string(),
  runner_id: z.number(),
  name: z.string(),
  credential: z.string(),
  /** The private key as a JSON Web Key. */
  private_key: z.record(z.string(), z.unknown()),
});
export type Identity = z.output<typeof identity>;

/** The settings of a runner on another machine. */
export interface Remote {
  /** Without a slash at the end. */
  serverUrl: string;
  /** The token with which the runner registers; null: none is set. */
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

/** Uses the identity of the data folder if the server accepts it; otherwise registers with the token. */
export async function becomeRunner(config: RunnerConfig, remote: Remote): Promise<Identity> {
  const known = await readIdentity(config);
  if (known?.server === remote.serverUrl && (await isWelcome(known))) return known;
  if (remote.token !== null) return enter(config, remote.serverUrl, remote.token);
  throw new ConfigError(
    `${remote.serverUrl} does not know this runner. Make a token for it on the page "Runners", and start again with it as SIGNALBOX_RUNNER_TOKEN.`,
  );
}

/** Whether the server accepts this runner. True also when it cannot be reached: it may be restarting. */
async function isWelcome({ server, credential }: Identity): Promise<boolean> {
  try {
    await createAsk({ url: server }, credential)(runnerDesk.sortOut, {
      body: { mirrors: [], projects: [], homes: [] },
    });
    return true;
  } catch (error) {
    return error instanceof ServerAway;
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
  const entered = await createAsk({ url: server }, null)(runnerDesk.register, { body }).catch(
    (cause: unknown) => {
      const isAnswer = cause instanceof Refusal || cause instanceof ServerAway;
      const words = isAnswer ? cause.message : 'It does not answer as a server of Signalbox does.';
      throw new ConfigError(`${server} does not let this runner in: ${words}`, { cause });
    },
  );
  const made = {
    server,
    ...entered,
    private_key: pair.privateKey.export({ format: 'jwk' }) as JWK,
  };
  const file = fileOf(config);
  await writeFile(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return identity.parse(made);
}
