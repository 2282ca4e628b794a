import type { Params } from '#shared/errors.ts';
import type { EventCode } from '#shared/events.ts';
import type { Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';

interface Named {
  id: number;
  project_id: number;
  name: string;
  tpl_name: string;
}

/** Records an event about a schedule. A schedule without a name appears with the name of its template. */
export async function recordSchedule(
  ctx: Context,
  code: EventCode,
  { id, project_id: projectId, name, tpl_name }: Named,
  params: Params = {},
): Promise<void> {
  const object = { type: 'schedule' as const, id, name: name || tpl_name };
  await record(ctx, { code, projectId, object, params });
}
