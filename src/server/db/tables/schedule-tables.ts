// Fires are deleted with their schedule.

import type { Generated } from 'kysely';
import type { FireResult, MissedRule, Schedule, SkipReason } from '#shared/api/schedules.ts';
import type { Flag } from './columns.ts';

export interface ScheduleTables {
  schedules: {
    id: Generated<number>;
    project_id: number;
    /** Either a template or a workflow. */
    template_id: number | null;
    workflow_id: Generated<number | null>;
    name: string;
    type: Generated<Schedule['type']>;
    cron_format: string;
    /** For one-time schedules. */
    run_at: string | null;
    delete_after_run: Generated<Flag>;
    time_zone: string;
    active: Flag;
    repository_id: number | null;
    missed: MissedRule;
    /** JSON of `TaskParams` without its references; null for none. */
    task_params: string | null;
    /** Null: the inventory of the template. */
    inventory_id: number | null;
    /** Null: that of the template. */
    execution_environment_id: Generated<number | null>;
    /** Null while inactive. */
    next_due: string | null;
    /** At the last launch; null: unknown. */
    last_commit: string | null;
    /** May be a deleted user; null: unknown. */
    changed_by: number | null;
    revision: Generated<number>;
  };
  schedule_fires: {
    id: Generated<number>;
    schedule_id: number;
    /** Unique per schedule. */
    due: string;
    noticed: string;
    result: FireResult;
    reason: SkipReason | null;
    task_id: number | null;
    workflow_run_id: Generated<number | null>;
    commit_hash: string | null;
    code: string | null;
    params: Generated<string>;
    error: string | null;
    count: Generated<number>;
  };
}
