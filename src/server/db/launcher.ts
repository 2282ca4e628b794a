// The workflow, schedule or integration that has launched a task or a workflow run.

import type { Launcher } from '#shared/api/launcher.ts';

/** The query joins `schedules`, `integrations` and `workflow_runs` to tasks. */
export const launcherColumns = [
  'tasks.schedule_id as by_schedule',
  'schedules.name as by_schedule_name',
  'tasks.integration_id as by_integration',
  'integrations.name as by_integration_name',
  'tasks.workflow_run_id as by_workflow',
  'workflow_runs.name as by_workflow_name',
] as const;

type LauncherColumn = 'by_schedule' | 'by_integration' | 'by_workflow';
export type LauncherRow = Record<LauncherColumn, number | null> &
  Record<`${LauncherColumn}_name`, string | null>;

/** Replaces the columns by `launcher`. `launched` is the template name, the default name of a schedule. */
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

/** A null id: not the launcher. A null name: deleted. */
interface Reference {
  id: number | null;
  name: string | null;
}

/** Null for a user. `launched` is the name of the template or workflow, the default name of a schedule. */
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
