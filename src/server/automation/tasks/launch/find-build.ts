import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import { fail, failFields, fieldError } from '../../../lib/errors.ts';
import type { PlainTemplate } from '../../templates/templates.ts';
import { findTask } from '../rows/shown-tasks.store.ts';

/** The task that a deploy deploys, and its version, which deploys of deploys take from the build. */
export async function findBuild(
  ctx: Context,
  projectId: number,
  template: PlainTemplate,
  buildTaskId: number | null,
): Promise<{ id: number | null; version: string | null }> {
  if (template.type !== 'deploy') {
    if (buildTaskId === null) return { id: null, version: null };
    throw fail('task.field_not_allowed', { field: 'build_task_id' });
  }
  if (template.build_template_id === null) {
    throw failFields(fieldError('build_template_id', 'template.build_template_required'));
  }
  if (buildTaskId === null) throw failFields(fieldError('build_task_id', 'task.build_required'));
  const chosen = await findTask(ctx.db, projectId, buildTaskId);
  const isBuild = chosen?.status === 'success' && !chosen.dry_run;
  if (!isBuild || chosen.template_id !== template.build_template_id) {
    throw failFields(fieldError('build_task_id', 'task.build_wrong'));
  }
  let build: Task | null = chosen;
  while (build && build.build_task_id !== null) {
    build = await findTask(ctx.db, projectId, build.build_task_id);
  }
  return { id: chosen.id, version: build?.version ?? null };
}
