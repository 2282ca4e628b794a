// Observes the latency and the duration of tasks for the metrics.

import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import type { Row } from '../../../db/tables.ts';
import { findRow } from '../rows/tasks.store.ts';

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;

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
 * Observes how long a task has waited for its first program, which is about to start. Called before the
 * step is recorded, so that a program that begins again is not measured twice.
 */
export async function measureStart(ctx: Context, taskId: number, step: number): Promise<void> {
  if (!ctx.telemetry.isMeasuring || step !== 1) return;
  const row = await findRow(ctx.db, taskId);
  if (!row || row.step > 0) return;
  const seconds = secondsBetween(couldBegin(row), ctx.clock.now().toISOString());
  ctx.telemetry.observe('signalbox_task_start_latency_seconds', {}, seconds);
}

/** When a task could begin: confirmed, and after the pause before its retry. */
const couldBegin = ({ created, not_before, confirmed_at }: Row<'tasks'>): string =>
  [created, not_before ?? '', confirmed_at ?? ''].toSorted().at(-1) ?? created;
