// What has launched a task or a run of a workflow, unless a user did.

import { z } from 'zod';
import { id } from '../fields.ts';

const launcherKinds = ['workflow', 'schedule', 'integration'] as const;

export const launcher = z.object({
  kind: z.enum(launcherKinds),
  /** The id of the schedule, of the integration, or of the run of the workflow. */
  id,
  /** The name of the schedule, integration or workflow; for a schedule without a name, of its target. Null: deleted. */
  name: z.string().nullable(),
});
export type Launcher = z.output<typeof launcher>;
