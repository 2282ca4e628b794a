import type { PublicKey } from '#shared/api/runner-api.ts';

/** A runner that sends requests to its server. */
export interface RunnerActor {
  /** Null for the runner beside a server with the embedded database. */
  id: number | null;
  name: string;
  /** The key to which secrets for the runner are sealed. */
  publicKey: PublicKey;
  /** Whether this server has started the runner. */
  isOwn: boolean;
  /** The only task that it may act for; absent: all that it holds. */
  task?: { id: number; lease: number };
}
