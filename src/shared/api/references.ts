// References to a resource of a project, which prevent its deletion.

import { z } from 'zod';
import type { Requirement } from '../permissions.ts';
import { endpoint } from './endpoint.ts';
import type { NoParams } from './path-params.ts';
import { id } from '../fields.ts';

const named = z.array(z.object({ id, name: z.string() }));

const references = z.object({
  projects: named,
  templates: named,
  workflows: named,
  inventories: named,
  repositories: named,
  host_configs: named,
  execution_environments: named,
  schedules: named,
  integrations: named,
  alert_channels: named,
});
export type References = z.output<typeof references>;

export const noReferences = Object.fromEntries(
  references.keyof().options.map((section) => [section, []]),
) as unknown as References;

interface RefsOptions<Own> {
  permission?: Requirement;
  params?: Own;
}

export function refsEndpoint<const Path extends string, Own extends z.ZodRawShape = NoParams>(
  path: Path,
  what: string,
  { permission = 'member', params }: RefsOptions<Own> = {},
) {
  return endpoint.get(`${path}/refs`, {
    permission,
    summary: `What uses ${what}`,
    ...(params && { params }),
    reply: references,
  });
}
