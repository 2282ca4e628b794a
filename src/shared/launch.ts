// Launch options: what a user, a schedule or an integration may set for a task.

import { z } from 'zod';
import {
  gitReference,
  hostPattern,
  id,
  initially,
  jsonArgumentsText,
  jsonObjectText,
  nullable,
  optionalId,
  using,
  optionalLine,
  tagNames,
} from './fields.ts';
import { storedFields } from './stored-fields.ts';

/** The options that schedules and integrations store, and all launches have. */
const lasting = {
  message: initially(optionalLine(250), ''),
  /** Answers to the survey as a JSON object. */
  environment: nullable(jsonObjectText).transform((text) => text ?? '{}'),
  debug: initially(z.boolean(), false),
  /** The number of `v` in Ansible's option with `debug`; 0: four. */
  debug_level: initially(z.number().int().min(0).max(6), 0),
  dry_run: initially(z.boolean(), false),
  diff: initially(z.boolean(), false),
  /** For Terraform and OpenTofu: whether the plan is applied without a confirmation. */
  auto_approve: initially(z.boolean(), false),
  arguments: jsonArgumentsText,
  git_branch: nullable(gitReference(255)),
  limit: nullable(hostPattern(1024)),
  tags: nullable(tagNames(1024)),
  skip_tags: nullable(tagNames(1024)),
  inventory_id: using('inventory.use', optionalId),
  /** The programs to run with, if the template allows it; null: those of the template. */
  execution_environment_id: using('execution_environment.use', optionalId),
};

export const launchFields = { ...lasting };

/** A JSON object as text, or an empty text, which is kept. */
const answersText = nullable(z.union([z.literal(''), jsonObjectText])).transform(
  (text) => text ?? '',
);

/** The fields of `task_params` that restrict a run; absent ones do not change. */
export const narrowing = [
  'task_params.dry_run',
  'task_params.arguments',
  'task_params.git_branch',
  'task_params.limit',
  'task_params.tags',
  'task_params.skip_tags',
  'task_params.inventory_id',
  'task_params.execution_environment_id',
] as const;

/** Unknown fields are refused, because they may have been meant to restrict the launch. */
export const newTaskParams = z.strictObject({ ...lasting, environment: answersText });
export type TaskParams = z.output<typeof newTaskParams>;

export const taskParams = z.object({
  ...storedFields(lasting),
  environment: z.string(),
  inventory_id: id.nullable(),
  execution_environment_id: id.nullable(),
});

// Older rows may have a branch that is no exact name, which a run refuses.
const storedParams = newTaskParams.extend({ git_branch: nullable(z.string()) });

/** Stored task params, in which newer fields may be absent. */
export const fullTaskParams = (stored: object): TaskParams => storedParams.parse(stored);
