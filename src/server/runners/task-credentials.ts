// Credentials with which another process than the runner, such as one in a pod, runs one task. Nothing of them is
// stored: the text itself says, sealed, whose it is. It is void with the lease, and with the credential of its runner.

import type { Context } from '../context/context.ts';
import type { SealedPlace } from '../vault/vault.ts';

const prefix = 'sbt_';

/** Longer than any of them, so that nothing longer is decrypted. */
const MAX_LENGTH = 1000;

const binding = 'credential of a task';
const place: SealedPlace = { column: binding, row: '', binding, olderBinding: binding };

export interface TaskCredential {
  /** The hash of the credential of the runner. */
  runner: string;
  task: { id: number; lease: number };
}

type Sealing = Pick<Context, 'vault'>;

export const toTaskCredential = ({ vault }: Sealing, { runner, task }: TaskCredential): string =>
  prefix +
  Buffer.from(vault.seal(JSON.stringify([runner, task.id, task.lease]), place)).toString(
    'base64url',
  );

/** Null: it is none. */
export function readTaskCredential({ vault }: Sealing, text: string): TaskCredential | null {
  if (!text.startsWith(prefix) || text.length > MAX_LENGTH) return null;
  const sealed = Buffer.from(text.slice(prefix.length), 'base64url').toString();
  try {
    const [runner, id, lease] = JSON.parse(vault.open(sealed, place)) as [string, number, number];
    return { runner, task: { id, lease } };
  } catch {
    return null;
  }
}
