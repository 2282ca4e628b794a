import type { PublicKey } from '#shared/api/runner-desk.ts';

/** A runner that asks its server. */
export interface RunnerActor {
  /** Null: the runner beside the server with the embedded database. */
  id: number | null;
  name: string;
  /** To which its secrets are sealed. */
  publicKey: PublicKey;
  /** It is the one that this server has started. */
  isOwn: boolean;
}
