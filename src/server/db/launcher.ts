// What has launched a task by itself, from the columns of a query that joins the three tables.

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
    by_schedule: schedule,
    by_schedule_name: scheduleName,
    by_integration: integration,
    by_integration_name: integrationName,
    by_workflow: workflow,
    by_workflow_name: workflowName,
    ...rest
  } = row;
  const all: Launcher[] = [
    ...(workflow === null ? [] : [{ kind: 'workflow' as const, id: workflow, name: workflowName }]),
    ...(schedule === null
      ? []
      : [
          {
            kind: 'schedule' as const,
            id: schedule,
            name: scheduleName === '' ? launched : scheduleName,
          },
        ]),
    ...(integration === null
      ? []
      : [{ kind: 'integration' as const, id: integration, name: integrationName }]),
  ];
  return { ...rest, launcher: all[0] ?? null };
}
