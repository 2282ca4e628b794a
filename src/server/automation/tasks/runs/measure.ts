// Tells the metrics how long tasks wait and take.

import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import type { Row } from '../../../db/tables.ts';
import { findRow } from '../rows/tasks.store.ts';

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;

/** Counts a task that has ended. */
export function measureEnd(
  { telemetry }: Context,
  task: Pick<Task, 'project_id' | 'template_id' | 'tpl_app' | 'status' | 'start' | 'end'>,
): void {
  const { status, start, end, tpl_app: app } = task;
  const template = { project_id: String(task.project_id), template_id: String(task.template_id) };
  telemetry.count('signalbox_tasks_ended_total', { status });
  telemetry.count('signalbox_template_tasks_ended_total', { ...template, status });
  if (start === null || end === null) return;
  const seconds = secondsBetween(start, end);
  telemetry.observe('signalbox_task_duration_seconds', { app, status }, seconds);
}

/**
 * Measures how long a task has waited for its first program, which is about to start. Before the step
 * is recorded, since a program that begins once more is not measured again.
 */
export async function measureStart(ctx: Context, taskId: number, step: number): Promise<void> {
  if (!ctx.telemetry.isMeasuring || step !== 1) return;
  const row = await findRow(ctx.db, taskId);
  if (!row || row.step > 0) return;
  const seconds = secondsBetween(couldBegin(row), ctx.clock.now().toISOString());
  ctx.telemetry.observe('signalbox_task_start_latency_seconds', {}, seconds);
}

/** When a task could begin: a person had confirmed it, and the pause before its next try was over. */
const couldBegin = ({ created, not_before, confirmed_at }: Row<'tasks'>): string =>
  [created, not_before ?? '', confirmed_at ?? ''].toSorted().at(-1) ?? created;
