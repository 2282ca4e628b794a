// Clients of later versions of the API send launch options in `params`, with lists of names.

import { z } from 'zod';
import { hostPattern, nullable, optionalId, optionalLine, plainArgument } from '../fields.ts';
import type { TaskParams } from '../launch.ts';
import {
  flag,
  compatOnly,
  type Forms,
  isBody,
  lift,
  listOf,
  names,
  type Nested,
  preferNonEmpty,
} from './forms.ts';

// Options that runs do not have: false is accepted, true is refused.
export const absent = z
  .literal(false)
  .nullish()
  .transform(() => undefined);

export const runParams = z
  .strictObject({
    debug: flag,
    debug_level: z
      .number()
      .int()
      .min(0)
      .max(6)
      .nullish()
      .transform((level) => level ?? undefined),
    dry_run: flag,
    diff: flag,
    limit: names(hostPattern(1024)),
    tags: names(plainArgument(1024)),
    skip_tags: names(plainArgument(1024)),
    auto_approve: flag,
    // For Terraform and OpenTofu, equivalent to `dry_run`.
    plan: flag,
    destroy: absent,
    upgrade: absent,
    reconfigure: absent,
    // A setting of the template.
    skip_galaxy_install: absent,
  })
  .nullish();

export const nestedParams: Nested = {
  at: 'params',
  schema: runParams,
  names: { plan: 'dry_run' },
};

/** Fields of the template that some clients repeat at a launch; other values are refused. */
export const templateOnlyFields = compatOnly({
  repository_id: optionalId,
  environment_id: optionalId,
  start_version: nullable(optionalLine(100)),
  override_args: nullable(optionalLine(4096)),
});

/** The form of a launch. Fields of a task's reply that a launch does not have (`shown`) are ignored. */
export const launchForms = (taken: string[], shown: string[]): Forms => ({
  fields: z.object({ params: runParams }),
  read(given) {
    if (!isBody(given)) return { body: given, findings: [] };
    const { body, findings, contradictions } = lift(given, nestedParams);
    for (const name of shown) if (!taken.includes(name)) delete body[name];
    return { body, findings: [...findings, ...preferNonEmpty(body, contradictions)] };
  },
});

/** The fields of replies in the other form. */
export const shownParams = z.object({
  debug: z.boolean(),
  debug_level: z.number().int(),
  dry_run: z.boolean(),
  diff: z.boolean(),
  limit: z.array(z.string()),
  tags: z.array(z.string()),
  skip_tags: z.array(z.string()),
  auto_approve: z.boolean(),
});

type GivenParams = Pick<TaskParams, keyof z.output<typeof shownParams>>;

export const paramsOf = (given: GivenParams): z.output<typeof shownParams> => ({
  debug: given.debug,
  debug_level: given.debug_level,
  dry_run: given.dry_run,
  diff: given.diff,
  limit: listOf(given.limit),
  tags: listOf(given.tags),
  skip_tags: listOf(given.skip_tags),
  auto_approve: given.auto_approve,
});
