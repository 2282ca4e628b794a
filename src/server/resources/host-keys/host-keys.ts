import type { HostKey } from '#shared/api/host-keys.ts';
import {
  forgetHostKey,
  forgetHostKeys,
  readHostKeys,
} from '../../../node/data-folder/known-hosts.ts';
import type { Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';
import { fail } from '../../lib/errors.ts';

export const listHostKeys = ({ config }: Context, projectId: number): HostKey[] =>
  readHostKeys(config, projectId);

export async function removeHostKey(ctx: Context, projectId: number, id: string): Promise<void> {
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
