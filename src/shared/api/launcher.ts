// What has launched a task or a run of a workflow by itself, when no person pressed a button.

import { z } from 'zod';
import { id } from '../fields.ts';

const launcherKinds = ['workflow', 'schedule', 'integration'] as const;

export const launcher = z.object({
  kind: z.enum(launcherKinds),
  /** The id of the schedule, of the integration, or of the run of the workflow. */
  id,
  /**
   * The name of the schedule, of the integration, or of the workflow; a schedule without a name is
   * called like what it launches. Null: it has been deleted since.
   */
  name: z.string().nullable(),
});
export type Launcher = z.output<typeof launcher>;
