// Clients of later versions of the API send the options of a template in `task_params`, and have only one runner tag. Some
// send the options in `task_params.params`, as for a launch.

import { z } from 'zod';
import { gitReference, hostPattern, jsonArgumentsText, plainArgument } from '../fields.ts';
import { runnerTags } from '../runner-tags.ts';
import { findingsOf } from '../field-errors.ts';
import {
  type Body,
  type FieldConflict,
  flag,
  type Forms,
  isBody,
  isSame,
  lift,
  listOf,
  names,
  type Lifted,
  preferNonEmpty,
  type Nested,
} from './forms.ts';
import { inTaskParams } from './task-params.ts';
import { absent, paramsOf, shownParams } from './tasks.ts';

const limits = {
  limit: names(hostPattern(1024)),
  tags: names(plainArgument(1024)),
  skip_tags: names(plainArgument(1024)),
  auto_approve: flag,
};

/** Refuses any text but an empty one: templates have no such option. */
const noText = z
  .literal(['', '{}'])
  .nullish()
  .transform(() => undefined);

// Options of launches, schedules and integrations only: false is accepted.
const templateRunParams = z
  .strictObject({
    ...limits,
    debug: absent,
    debug_level: z
      .literal(0)
      .nullish()
      .transform(() => undefined),
    dry_run: absent,
    diff: absent,
    plan: absent,
    destroy: absent,
    upgrade: absent,
    reconfigure: absent,
    skip_galaxy_install: absent,
  })
  .nullish();

/** The flags of `task_params`, with their names in a template. */
const flagNames = {
  allow_override_limit: 'allow_override_limit_in_task',
  allow_override_tags: 'allow_override_tags_in_task',
  allow_override_skip_tags: 'allow_override_skip_tags_in_task',
  allow_override_inventory: 'allow_override_inventory_in_task',
  allow_auto_approve: 'allow_auto_approve_in_task',
  allow_debug: 'allow_debug_in_task',
} as const;
type FlagNames = typeof flagNames;

const forFlags = <Schema>(schema: Schema) =>
  Object.fromEntries(Object.keys(flagNames).map((name) => [name, schema])) as Record<
    keyof FlagNames,
    Schema
  >;

const templateParams = z
  .strictObject({
    ...limits,
    ...forFlags(flag),
    /** Sets `install_requirements` to `never`. */
    skip_galaxy_install: flag.transform((skips) => (skips ? ('never' as const) : undefined)),
    // Options that templates do not have.
    allow_override_skip_galaxy_install: absent,
    allow_destroy: absent,
    override_backend: absent,
    backend_filename: noText,
    arguments: jsonArgumentsText.transform((text) => text ?? undefined),
    git_branch: gitReference(255)
      .nullish()
      .transform((branch) => branch || undefined),
    message: noText,
    environment: noText,
    params: templateRunParams,
  })
  .nullish();

const nested: Nested = {
  at: 'task_params',
  schema: templateParams,
  names: { ...flagNames, skip_galaxy_install: 'install_requirements', params: null },
};

const nestedRunParams: Nested = {
  at: 'params',
  schema: templateRunParams,
  names: {},
};

export const templateForms: Forms = {
  fields: z.object({ task_params: templateParams, runner_tag: z.string().nullish() }),
  read(given) {
    if (!isBody(given)) return { body: given, findings: [] };
    const { runner_tag: tag, ...rest } = given;
    const { body, findings, contradictions } = liftParams(rest);
    contradictions.push(...liftEnvironment(body), ...liftTag(body, tag), ...liftVault(body));
    const left = contradictions.filter((one) => !isOff(body, one));
    const namesNone =
      given['environment_id'] === undefined && given['environment_ids'] === undefined;
    return {
      body,
      findings: [...findings, ...wrongTag(tag), ...preferNonEmpty(body, left)],
      ...(namesNone && { kept: ['environment_id', 'environment_ids'] }),
    };
  },
};

/** Converts `task_params`, and `params` inside them. */
function liftParams(given: Body): Lifted {
  const outer = lift(given, nested);
  const { task_params: params } = given;
  if (outer.findings.length > 0 || !isBody(params)) return outer;
  const inner = lift({ ...outer.body, params: params['params'] }, nestedRunParams);
  return {
    body: inner.body,
    findings: [],
    contradictions: [...outer.contradictions, ...inner.contradictions.map(inTaskParams)],
  };
}

/** Whether the canonical form disables what the other form allows: it wins, as clients that send back a reply change one. */
const isOff = (body: Body, { name, value }: FieldConflict): boolean =>
  body[name] === false && value === true;

const ofReplies = ['tasks', 'last_task', 'last_task_id'];

/** Whether a new template is a copy: clients copy a template by sending its reply, with or without a new name. */
export const isCopiedTemplate = (given: unknown): boolean =>
  isBody(given) && ofReplies.some((name) => name in given);

/** Converts the single `runner_tag`, in which replies have the first of several tags. */
function liftTag(body: Body, tag: unknown): FieldConflict[] {
  if (tag === undefined) return [];
  const value = tag === null || tag === '' ? [] : [tag];
  const { runner_tags: tags } = body;
  if (tags == null) body['runner_tags'] = value;
  else if (!Array.isArray(tags) || !isSame(tags.slice(0, 1), value)) {
    return [{ name: 'runner_tags', path: 'runner_tag', value }];
  }
  return [];
}

/** `environment_id`, which replies have too, is the first of `environment_ids`. */
function liftEnvironment(body: Body): FieldConflict[] {
  const { environment_id: single, environment_ids: list } = body;
  const [first] = Array.isArray(list) ? (list as unknown[]) : [];
  if (first === undefined) {
    // An empty list means none.
    if (single === undefined && Array.isArray(list)) body['environment_id'] = null;
    return [];
  }
  if (single == null) body['environment_id'] = first;
  else if (!isSame(single, first)) {
    return [{ name: 'environment_id', path: 'environment_ids', value: first }];
  }
  return [];
}

/**
 * `vault_key_id`, which replies have too, is the short form of the vault without a name. A list without such a vault may
 * also come from a client that sends it in the short form only.
 */
function liftVault(body: Body): FieldConflict[] {
  const { vault_key_id: key, vaults } = body;
  if (!Array.isArray(vaults)) return [];
  const unnamed = (vaults as unknown[]).filter(isBody).find(({ name }) => isUnnamed(name));
  const value = unnamed?.['vault_key_id'] ?? null;
  if (key === undefined) body['vault_key_id'] = value;
  return key == null || isSame(key, value) ? [] : [{ name: 'vault_key_id', path: 'vaults', value }];
}

const isUnnamed = (name: unknown): boolean => name == null || name === '' || name === 'default';

const wrongTag = (tag: unknown) =>
  tag == null || tag === ''
    ? []
    : findingsOf(runnerTags, [tag]).map((finding) => ({ ...finding, path: 'runner_tag' }));

export const shownTemplateForms = {
  runner_tag: z.string().nullable(),
  /** Absent if all options have their defaults. */
  task_params: z
    .object({
      limit: z.array(z.string()),
      tags: z.array(z.string()),
      skip_tags: z.array(z.string()),
      auto_approve: z.boolean(),
      ...forFlags(z.boolean()),
      skip_galaxy_install: z.boolean(),
      params: shownParams,
    })
    .optional(),
};

const usualOptions = {
  limit: '',
  tags: '',
  skip_tags: '',
  auto_approve: false,
  allow_override_limit_in_task: false,
  allow_override_tags_in_task: false,
  allow_override_skip_tags_in_task: false,
  allow_override_inventory_in_task: false,
  allow_auto_approve_in_task: false,
  allow_debug_in_task: true,
};
const optionNames = Object.keys(usualOptions) as (keyof typeof usualOptions)[];

/** The fields of a template that later versions of the API have in another place too. */
type InOneForm = typeof usualOptions & { install_requirements: string; runner_tags: string[] };

type InOtherForms = z.input<z.ZodObject<typeof shownTemplateForms>>;

export function showTemplateForms<Thing extends InOneForm>(template: Thing): Thing & InOtherForms {
  const isPlain =
    optionNames.every((name) => template[name] === usualOptions[name]) &&
    template.install_requirements !== 'never';
  return {
    ...template,
    runner_tag: template.runner_tags[0] ?? null,
    task_params: isPlain ? undefined : showParams(template),
  };
}

function showParams(template: InOneForm) {
  const shownFlags = Object.fromEntries(
    Object.entries(flagNames).map(([name, canonical]) => [name, template[canonical]]),
  ) as Record<keyof FlagNames, boolean>;
  const off = { debug: false, debug_level: 0, dry_run: false, diff: false };
  return {
    limit: listOf(template.limit),
    tags: listOf(template.tags),
    skip_tags: listOf(template.skip_tags),
    auto_approve: template.auto_approve,
    ...shownFlags,
    skip_galaxy_install: template.install_requirements === 'never',
    params: paramsOf({ ...template, ...off }),
  };
}
