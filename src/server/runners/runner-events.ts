import type { Params } from '#shared/catalogue/catalogue.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { Context } from '../context/context.ts';
import { record } from '../events/events.ts';

export function recordRunnerEvent(
  ctx: Context,
  { id, name, project_id: projectId }: { id: number; name: string; project_id: number | null },
  code: Extract<EventCode, `runner.${string}`>,
  params: Params = {},
): Promise<void> {
  return record(ctx, { code, projectId, object: { type: 'runner', id, name }, params });
}
