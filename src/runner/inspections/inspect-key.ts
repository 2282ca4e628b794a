// Loads a private key as a run would, before the key is saved.

import type { KeyDefect } from '#shared/api/runner-api.ts';
import type { OpenKey } from '../api/run-secrets.ts';
import { canOpenSslRead } from '../sandbox/sandbox.ts';
import { baseEnvironment } from '../prepare/environment.ts';
import { KeyNotLoaded, startAgent } from '../workspace/credentials.ts';
import type { InspectionWorkspace } from './inspection-workspace.ts';

/** Null: OpenSSH can load the key. */
export async function inspectKey(
  place: InspectionWorkspace,
  key: OpenKey,
): Promise<KeyDefect | null> {
  if (key.type !== 'ssh') return null;
  const { config, workspace, signal } = place;
  const env = baseEnvironment({ ctx: { config }, workspace });
  try {
    const agent = await startAgent(workspace, { name: 'key', key, signal }, env);
    agent.stop();
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof KeyNotLoaded) return defectOf(key, error.isEncrypted, signal);
    throw error;
  }
}

async function defectOf(
  { private_key: text, passphrase }: Extract<OpenKey, { type: 'ssh' }>,
  isEncrypted: boolean,
  signal: AbortSignal,
): Promise<KeyDefect> {
  if (!isEncrypted) return 'unreadable';
  if (passphrase === '') return 'passphrase_missing';
  return (await canOpenSslRead(text, passphrase, signal)) ? 'format' : 'passphrase_wrong';
}
