// What has launched a task or a run of a workflow by itself: the workflow that it is part of, or a
// schedule or an integration.

import type { Launcher } from '#shared/api/launcher.ts';

/** The columns to select; the query joins `schedules`, `integrations` and `workflow_runs` to its tasks. */
export const launcherColumns = [
  'tasks.schedule_id as by_schedule',
  'schedules.name as by_schedule_name',
  'tasks.integration_id as by_integration',
  'integrations.name as by_integration_name',
  'tasks.workflow_run_id as by_workflow',
  'workflow_runs.name as by_workflow_name',
] as const;

export interface LauncherRow {
  by_schedule: number | null;
  by_schedule_name: string | null;
  by_integration: number | null;
  by_integration_name: string | null;
  by_workflow: number | null;
  by_workflow_name: string | null;
}

/** Takes the columns out of a row. `launched` is the name of the template, which an unnamed schedule has. */
export function splitLauncher<Row extends LauncherRow>(
  row: Row,
  launched: string,
): Omit<Row, keyof LauncherRow> & { launcher: Launcher | null } {
  const {
    by_schedule,
    by_schedule_name,
    by_integration,
    by_integration_name,
    by_workflow,
    by_workflow_name,
    ...rest
  } = row;
  const launcher = findLauncher(
    {
      workflow: { id: by_workflow, name: by_workflow_name },
      schedule: { id: by_schedule, name: by_schedule_name },
      integration: { id: by_integration, name: by_integration_name },
    },
    launched,
  );
  return { ...rest, launcher };
}

/** Null as an id: it has launched nothing. Null as a name: it has been deleted since. */
interface Reference {
  id: number | null;
  name: string | null;
}

/**
 * What has launched a task or a run by itself; null for a person. `launched` is the name of its template
 * or workflow, which an unnamed schedule has.
 */
export function findLauncher(
  { workflow, schedule, integration }: Record<Launcher['kind'], Reference>,
  launched: string,
): Launcher | null {
  if (workflow.id !== null) return { kind: 'workflow', id: workflow.id, name: workflow.name };
  if (schedule.id !== null) {
    const name = schedule.name === '' ? launched : schedule.name;
    return { kind: 'schedule', id: schedule.id, name };
  }
  if (integration.id === null) return null;
  return { kind: 'integration', id: integration.id, name: integration.name };
}
