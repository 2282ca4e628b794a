// Checks which fields a template allows to be set at launch. A field that is not allowed is refused
// and never ignored: without its limit, for example, a task would run on every host.

import { hasField, kindFields } from '#shared/apps.ts';
import type { NewTask, Task } from '#shared/api/tasks.ts';
import { fail, failFields, fieldError } from '../../../lib/errors.ts';
import type { PlainTemplate } from '../../templates/templates.ts';
import type { Context } from '../../../context/context.ts';
import { findTask } from '../rows/shown-tasks.store.ts';

type Rule = (launch: NewTask, template: PlainTemplate) => boolean;

const given = (value: string | null): boolean => value !== null && value.trim() !== '';

/** Whether the launch sets the field although the template does not allow it. */
const violations: Record<string, Rule> = {
  playbook: (launch, template) => given(launch.playbook) && launch.playbook !== template.playbook,
  arguments: (launch, template) =>
    given(launch.arguments) &&
    JSON.parse(launch.arguments ?? '[]').length > 0 &&
    !template.allow_override_args_in_task,
  inventory_id: (launch, template) =>
    launch.inventory_id !== null &&
    launch.inventory_id !== template.inventory_id &&
    !template.allow_override_inventory_in_task,
  execution_environment_id: (launch, template) =>
    launch.execution_environment_id !== null &&
    launch.execution_environment_id !== template.execution_environment_id &&
    !template.allow_override_execution_environment_in_task,
  git_branch: (launch, template) =>
    given(launch.git_branch) &&
    launch.git_branch !== template.git_branch &&
    !template.allow_override_branch_in_task,
  limit: (launch, template) =>
    given(launch.limit) &&
    launch.limit !== template.limit &&
    !template.allow_override_limit_in_task,
  tags: (launch, template) =>
    given(launch.tags) && launch.tags !== template.tags && !template.allow_override_tags_in_task,
  skip_tags: (launch, template) =>
    given(launch.skip_tags) &&
    launch.skip_tags !== template.skip_tags &&
    !template.allow_override_skip_tags_in_task,
  auto_approve: (launch, template) =>
    launch.auto_approve && !template.auto_approve && !template.allow_auto_approve_in_task,
  repository_id: (launch, template) =>
    launch.repository_id !== null && launch.repository_id !== template.repository_id,
  environment_id: (launch, template) =>
    launch.environment_id !== null && launch.environment_id !== template.environment_id,
  start_version: (launch, template) =>
    given(launch.start_version) && launch.start_version !== template.start_version,
  override_args: (launch) => given(launch.override_args),
  debug: (launch, template) => launch.debug && !template.allow_debug_in_task,
};

export function checkLaunch(launch: NewTask, template: PlainTemplate): void {
  const foreign = kindFields.find((name) => launch[name] && !hasField(template.app, name));
  if (foreign) throw fail('task.field_not_supported', { app: template.app, field: foreign });

  const field = Object.keys(violations).find((name) => violations[name]?.(launch, template));
  if (field) throw fail('task.field_not_allowed', { field });
}

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
