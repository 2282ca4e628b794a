import type { Params } from '#shared/catalogue/catalogue.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';

interface Named {
  id: number;
  project_id: number;
  name: string;
  tpl_name: string | null;
  workflow_name: string | null;
}

export const nameOf = ({ name, tpl_name, workflow_name }: Named): string =>
  name || (tpl_name ?? workflow_name ?? '');

export async function recordSchedule(
  ctx: Context,
  code: EventCode,
  schedule: Named,
  params: Params = {},
): Promise<void> {
  const { id, project_id: projectId } = schedule;
  const object = { type: 'schedule' as const, id, name: nameOf(schedule) };
  await record(ctx, { code, projectId, object, params });
}
