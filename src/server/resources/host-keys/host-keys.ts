import type { HostKey } from '#shared/api/host-keys.ts';
import {
  forgetHostKey,
  forgetHostKeys,
  readHostKeys,
} from '../../../node/data-folder/known-hosts.ts';
import { scopeOfAddress } from '#shared/git/host-config.ts';
import { seenBy, type Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';
import { fail } from '../../lib/errors.ts';
import { listAddresses } from '../repositories/repositories.ts';
import { listKnownHosts } from './host-keys.store.ts';

/** Without ports. */
const nameOf = ({ host }: HostKey): string => /^\[(.*)\]:\d+$/.exec(host)?.[1] ?? host;

/** Those of hosts that a person sees: of inventories, tasks and repositories. */
export async function listHostKeys(ctx: Context, projectId: number): Promise<HostKey[]> {
  const all = readHostKeys(ctx.config, projectId);
  if (!ctx.by.scope) return all;
  const seen = { ...ctx, db: seenBy(ctx) };
  const addresses = await listAddresses(seen, projectId);
  const names = new Set([
    ...(await listKnownHosts(seen.db, projectId, all.map(nameOf))),
    ...addresses.map(({ url }) => scopeOfAddress(url)?.host),
  ]);
  return all.filter((key) => names.has(nameOf(key)));
}

export async function removeHostKey(ctx: Context, projectId: number, id: string): Promise<void> {
  const isSeen = (await listHostKeys(ctx, projectId)).some((key) => key.id === id);
  if (!isSeen) throw fail('host_key.not_found');
  const gone = forgetHostKey(ctx.config, projectId, id);
  if (!gone) throw fail('host_key.not_found');
  const object = { type: 'host_key', id: null, name: gone.host } as const;
  await record(ctx, { code: 'host_key.forgotten', projectId, object });
}

export async function removeHostKeys(ctx: Context, projectId: number): Promise<void> {
  forgetHostKeys(ctx.config, projectId);
  const object = { type: 'host_key', id: null, name: '' } as const;
  await record(ctx, { code: 'host_key.all_forgotten', projectId, object });
}
