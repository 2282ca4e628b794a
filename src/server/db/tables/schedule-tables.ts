// The tables of schedules. The rows of due times are deleted with their schedule.

import type { Generated } from 'kysely';
import type { FireResult, MissedRule, Schedule, SkipReason } from '#shared/api/schedules.ts';
import type { Flag } from './columns.ts';

interface Schedules {
  id: Generated<number>;
  project_id: number;
  /** Either a template or a workflow. */
  template_id: number | null;
  workflow_id: Generated<number | null>;
  name: string;
  type: Generated<Schedule['type']>;
  cron_format: string;
  /** When it is due, if it is due once: to the second. */
  run_at: string | null;
  delete_after_run: Generated<Flag>;
  time_zone: string;
  active: Flag;
  repository_id: number | null;
  missed: MissedRule;
  /** The launch options of its tasks: JSON of `TaskParams` without the inventory; null for none. */
  task_params: string | null;
  /** The inventory of its tasks; null for that of the template. */
  inventory_id: number | null;
  /** The next due time; null when the schedule is not active. */
  next_due: string | null;
  /** The newest commit of the repository at its last launch; null when it is not known. */
  last_commit: string | null;
  /** The user who made it or changed it last, even if deleted since; null: not known. */
  changed_by: number | null;
  revision: Generated<number>;
}

interface ScheduleFires {
  id: Generated<number>;
  schedule_id: number;
  /** The due time, which is unique in the schedule. */
  due: string;
  noticed: string;
  result: FireResult;
  reason: SkipReason | null;
  task_id: number | null;
  workflow_run_id: Generated<number | null>;
  commit_hash: string | null;
  code: string | null;
  /** JSON: the parameters of the code. */
  params: Generated<string>;
  error: string | null;
  count: Generated<number>;
}

export interface ScheduleTables {
  schedules: Schedules;
  schedule_fires: ScheduleFires;
}
