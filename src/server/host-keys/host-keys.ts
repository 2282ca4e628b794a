// The keys of ssh hosts that a project has pinned: lines that ssh adds to a file at first sight.

import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trimEndOf } from '#shared/trim-end.ts';
import type { HostKey } from '#shared/api/host-keys.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { record } from '../events/events.ts';
import { fail } from '../errors.ts';

/** The folder of all projects' files. */
export const knownHostsOf = (config: Config): string => join(config.dataDir, 'known-hosts');

/** The file of a project. */
export const knownHostsPath = (config: Config, projectId: number): string =>
  join(knownHostsOf(config), String(projectId));

export function listHostKeys({ config }: Context, projectId: number): HostKey[] {
  return readLines(config, projectId).flatMap((line) => parse(line) ?? []);
}

export async function removeHostKey(ctx: Context, projectId: number, id: string): Promise<void> {
  const { config } = ctx;
  // Without a pause between reading and writing, so that no other request comes between.
  const lines = readLines(config, projectId);
  const kept = lines.filter((line) => parse(line)?.id !== id);
  const gone = lines.map(parse).find((key) => key?.id === id);
  if (!gone) throw fail('host_key.not_found');
  const path = knownHostsPath(config, projectId);
  writeFileSync(`${path}.new`, kept.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  const object = { type: 'host_key', id: null, name: gone.host } as const;
  await record(ctx, { code: 'host_key.forgotten', projectId, object });
}

export async function removeHostKeys(ctx: Context, projectId: number): Promise<void> {
  rmSync(knownHostsPath(ctx.config, projectId), { force: true });
  const object = { type: 'host_key', id: null, name: '' } as const;
  await record(ctx, { code: 'host_key.all_forgotten', projectId, object });
}

function readLines(config: Config, projectId: number): string[] {
  try {
    const text = readFileSync(knownHostsPath(config, projectId), 'utf8');
    return text.split('\n').filter((line) => line.trim() !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Adds what ssh has pinned in the file of a run to that of its project. A key that is pinned
 * already stays what it is, whatever the run says.
 */
export function addHostKeys(config: Config, projectId: number, text: string): void {
  const lines = readLines(config, projectId);
  const pinned = new Set(lines.map(placeOf));
  const added = text
    .slice(0, longestFile)
    .split('\n')
    .filter((line) => parse(line) !== null && !pinned.has(placeOf(line)));
  if (added.length === 0) return;
  const path = knownHostsPath(config, projectId);
  const all = [...lines, ...added].map((line) => `${line}\n`).join('');
  writeFileSync(`${path}.new`, all, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

const longestFile = 1024 * 1024;

/** A host and the type of its key. */
const placeOf = (line: string): string => line.trim().split(/\s+/, 2).join(' ');

/** Null for remarks and for marked lines, which only an administrator can have written. */
function parse(line: string): HostKey | null {
  const [host, type, key] = line.trim().split(/\s+/);
  if (!host || !type || !key || /^[#@]/.test(host)) return null;
  const sha256 = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
  const id = createHash('sha256').update(`${host} ${type} ${key}`).digest('hex').slice(0, 24);
  return { id, host, type, fingerprint: `SHA256:${trimEndOf(sha256, '=')}` };
}
