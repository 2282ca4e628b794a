// Launch options: what a person, a schedule or an integration may set for a task beside its template.

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
  optionalLine,
  tagNames,
} from './fields.ts';

/** The options that schedules and integrations can store, and every launch can have. */
const lasting = {
  message: initially(optionalLine(250), ''),
  /** Answers to the survey: the text of a JSON object. */
  environment: nullable(jsonObjectText).transform((text) => text ?? '{}'),
  debug: initially(z.boolean(), false),
  /** With `debug`: the number of `v` in the option of Ansible; 0 means four. */
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
  inventory_id: optionalId,
};

export const launchFields = { ...lasting };

/** The text of a JSON object, or no text at all, which is read back as it was sent. */
const answersText = nullable(z.union([z.literal(''), jsonObjectText])).transform(
  (text) => text ?? '',
);

/** The fields of `task_params` that narrow a run: a change that leaves one out keeps it. */
export const narrowing = [
  'task_params.dry_run',
  'task_params.arguments',
  'task_params.git_branch',
  'task_params.limit',
  'task_params.tags',
  'task_params.skip_tags',
  'task_params.inventory_id',
] as const;

/** An unknown field is refused and not dropped, because it could have been meant to limit the launch. */
export const newTaskParams = z.strictObject({ ...lasting, environment: answersText });
export type TaskParams = z.output<typeof newTaskParams>;

export const taskParams = z.object({
  message: z.string(),
  environment: z.string(),
  debug: z.boolean(),
  debug_level: z.number().int(),
  dry_run: z.boolean(),
  diff: z.boolean(),
  auto_approve: z.boolean(),
  arguments: z.string().nullable(),
  git_branch: z.string().nullable(),
  limit: z.string().nullable(),
  tags: z.string().nullable(),
  skip_tags: z.string().nullable(),
  inventory_id: id.nullable(),
});

// Older rows may hold a branch that is no exact name; a run refuses it.
const storedParams = newTaskParams.extend({ git_branch: nullable(z.string()) });

/** Stored task params, in which fields that were added later may be missing. */
export const fullTaskParams = (stored: object): TaskParams => storedParams.parse(stored);
