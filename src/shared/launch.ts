// What a launch may be given beside its template: by a person, a schedule or an integration.

import { z } from 'zod';
import {
  gitReference,
  hostPattern,
  id,
  initially,
  jsonArgumentsText,
  jsonObjectText,
  nullable,
  optionalLine,
  plainArgument,
} from './fields.ts';

/** What is given to every launch of a schedule or an integration, and may be given to any other. */
const lasting = {
  message: initially(optionalLine(250), ''),
  /** Answers to the survey: the text of a JSON object. */
  environment: nullable(jsonObjectText).transform((text) => text ?? '{}'),
  debug: initially(z.boolean(), false),
  /** With `debug`: how many times Ansible is told to be more verbose; 0: four times. */
  debug_level: initially(z.number().int().min(0).max(6), 0),
  dry_run: initially(z.boolean(), false),
  diff: initially(z.boolean(), false),
  /** Of Terraform and OpenTofu: apply what is planned without a confirmation. */
  auto_approve: initially(z.boolean(), false),
  arguments: jsonArgumentsText,
  git_branch: nullable(gitReference(255)),
  limit: nullable(hostPattern(1024)),
  tags: nullable(plainArgument(1024)),
  skip_tags: nullable(plainArgument(1024)),
  inventory_id: nullable(id),
};

export const launchFields = { ...lasting };

/** A field that is not known is refused: dropped, it could have been what narrows the launch. */
export const newTaskParams = z.strictObject(lasting);
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

// Saved before the names of branches had to be exact; a run refuses what is not.
const storedParams = newTaskParams.extend({ git_branch: nullable(z.string()) });

/** Task params that were stored before some of their fields existed have none of these. */
export const fullTaskParams = (stored: object): TaskParams => storedParams.parse(stored);
