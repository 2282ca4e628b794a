// The tables of schedules: the due times go with theirs.

import type { Generated } from 'kysely';
import type { FireResult, MissedRule, SkipReason } from '#shared/api/schedules.ts';
import type { Flag } from './columns.ts';

interface Schedules {
  id: Generated<number>;
  project_id: number;
  template_id: number;
  name: string;
  cron_format: string;
  time_zone: string;
  active: Flag;
  repository_id: number | null;
  missed: MissedRule;
  /** What its tasks are given: JSON of `TaskParams` without the inventory; null: nothing. */
  task_params: string | null;
  /** The inventory that its tasks are given. */
  inventory_id: number | null;
  /** Null: it is not active. */
  next_due: string | null;
  /** The newest commit of the repository when it ran last; null: not known. */
  last_commit: string | null;
  revision: Generated<number>;
}

interface ScheduleFires {
  id: Generated<number>;
  schedule_id: number;
  /** Unique in the schedule. */
  due: string;
  noticed: string;
  result: FireResult;
  reason: SkipReason | null;
  task_id: number | null;
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
