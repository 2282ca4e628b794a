// Restores a project from a backup. The whole backup is validated first. One transaction creates all
// resources through their use cases. Refusals are collected with their paths, and any refusal rolls back.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { BackupSection, Restored, RestoreDocument } from '#shared/api/backups.ts';
import type { Project } from '#shared/api/projects.ts';
import type { Context } from '../context/context.ts';
import { AppError } from '../lib/errors.ts';
import { createEmptyChannel } from '../alerts/alert-channels/alert-channels.ts';
import { createUnfilledEnvironment } from '../resources/environments/environments.ts';
import { record } from '../events/events.ts';
import { restoreAlias } from '../automation/integrations/aliases.ts';
import { createIntegration } from '../automation/integrations/integrations.ts';
import { matchers, values } from '../automation/integrations/rules.ts';
import {
  createExecutionEnvironment,
  listExecutionEnvironments,
} from '../resources/execution-environments/execution-environments.ts';
import { createHostConfig } from '../resources/host-configs/host-configs.ts';
import { createInventory } from '../resources/inventories/inventories.ts';
import { createEmptyKey } from '../resources/keys/keys.ts';
import { createEmptyProject, setDefaultEnvironment } from '../projects/projects.ts';
import { createRepository } from '../resources/repositories/repositories.ts';
import { createSchedule } from '../automation/schedules/schedules.ts';
import { createRestored } from '../automation/templates/templates.ts';
import { createWorkflow } from '../automation/workflows/definitions/workflows.ts';
import { inTransaction } from '../context/transaction.ts';
import { restrict } from '../people/grants/restrictions.ts';
import { createRole, hasAllRights } from '../people/roles/roles.ts';
import { createView } from '../automation/views/views.ts';
import type { Item } from './deep-partial.ts';
import {
  findChosen,
  schemas,
  toInput,
  type InputOf,
  type FindId,
  type Referred,
} from './inputs.ts';
import { nameOf, planRestore, withoutUndefined, type Plan } from './plan.ts';
import { Problems } from './problems.ts';

/** `base`: the URL of this server. */
export async function restoreProject(
  ctx: Context,
  userId: number,
  document: RestoreDocument,
  base: string,
): Promise<Restored> {
  const shared = await listExecutionEnvironments(ctx, null);
  const plan = await planRestore(document, {
    now: ctx.clock.now(),
    member: ctx.by.username,
    environments: shared.map(({ name }) => name),
  });
  return inTransaction(ctx, async (inner) => {
    const project = await createEmptyProject(inner, userId, plan.project);
    const place = { ctx: inner, projectId: project.id, base, userId, shared };
    const parts = await createParts(place, plan);
    const { id, name } = project;
    const object = { type: 'project', id, name } as const;
    await record(inner, { code: 'project.restored', projectId: id, object });
    return { ...project, ...parts, notes: plan.notes };
  });
}

interface RestoreTarget {
  ctx: Context;
  projectId: number;
  base: string;
  /** The restoring user, the only member. */
  userId: number;
  /** The execution environments of the installation. */
  shared: { id: number; name: string }[];
}

type Parts = Omit<Restored, Exclude<keyof Project, 'execution_environment_id'> | 'notes'>;

async function createParts(place: RestoreTarget, { items, aliases, chosen }: Plan): Promise<Parts> {
  const { ctx, projectId, userId, shared } = place;
  const maker = new Maker([
    [`users ${ctx.by.username}`, userId],
    ...shared.map(({ id, name }): [string, number] => [`installation_environments ${name}`, id]),
  ]);
  const make = <S extends BackupSection, Made extends { id: number }>(
    section: S,
    create: (ctx: Context, projectId: number, input: InputOf<S>) => Promise<Made>,
  ) => maker.make(section, items[section], (input) => create(ctx, projectId, input));

  const environments = await make('environments', createUnfilledEnvironment);
  await make('views', createView);
  const keys = await make('keys', createEmptyKey);
  await make('repositories', createRepository);
  await make('host_configs', createHostConfig);
  await make('execution_environments', createExecutionEnvironment);
  const defaultId = findChosen(chosen, (of, name) => maker.idOf(of, name)) ?? null;
  await setDefaultEnvironment(ctx, projectId, defaultId);
  await make('custom_roles', createRoleOfOwner);
  await make('inventories', createInventory);
  await make('templates', createRestored);
  await make('workflows', createWorkflow);
  await make('schedules', createSchedule);
  const newAliases: Restored['new_aliases'] = [];
  await maker.make('integrations', items.integrations, (input, path) =>
    createWholeIntegration(place, input, { path, newAliases }),
  );
  const channels = await make('alert_channels', createEmptyChannel);
  await make('restrictions', restrictAsOwner);
  maker.problems.refuse();
  await addAliases(place, null, aliases, { path: 'integration_aliases', newAliases });
  return {
    execution_environment_id: defaultId,
    empty_keys: keys.filter(({ empty }) => empty),
    empty_secrets: environments.flatMap(({ id, name, secrets }) =>
      (secrets ?? []).map((one) => ({ ...one, environment_id: id, environment: name })),
    ),
    alert_channels: channels,
    new_aliases: newAliases,
  };
}

/** The restoring user is the owner of the new project, and has all rights there. */
const createRoleOfOwner = (ctx: Context, projectId: number, input: InputOf<'custom_roles'>) =>
  createRole(ctx, projectId, input, hasAllRights);

async function restrictAsOwner(ctx: Context, projectId: number, input: InputOf<'restrictions'>) {
  const owner = { userId: ctx.by.userId ?? 0, ...hasAllRights, objects: null };
  await restrict(ctx, projectId, input, owner);
  return { id: input.object_id };
}

/** Creates resources in sequence, and maps names to ids. */
class Maker {
  readonly problems = new Problems();
  /** By section and name. */
  readonly #ids: Map<string, number>;

  constructor(known: [string, number][]) {
    this.#ids = new Map(known);
  }

  async make<S extends BackupSection, Made extends { id: number }>(
    section: S,
    items: Item<S>[],
    create: (input: InputOf<S>, path: string) => Promise<Made>,
  ): Promise<Made[]> {
    const list: Made[] = [];
    for (const item of items) {
      // SQLite queries are synchronous and would block other requests.
      await yieldToEventLoop();
      const input = this.#inputOf(section, item);
      const made =
        input === null ? null : await this.#attempt(item, () => create(input, item.path));
      if (made === null) continue;
      this.#ids.set(`${section} ${nameOf(section, item.given)}`, made.id);
      list.push(made);
    }
    return list;
  }

  /** Undefined for no name, and for a resource that was refused. */
  idOf(of: Referred, name: string | undefined): number | undefined {
    return name === undefined ? undefined : this.#ids.get(`${of} ${name.trim()}`);
  }

  /** Null when a referred resource was refused. */
  #inputOf<S extends BackupSection>(section: S, { given }: Item<S>): InputOf<S> | null {
    let isRefused = false;
    const findId: FindId = (of, name) => {
      const id = this.idOf(of, name);
      isRefused ||= name !== undefined && id === undefined;
      return id;
    };
    const input = withoutUndefined(toInput[section](given, findId));
    return isRefused ? null : (schemas[section].parse(input) as InputOf<S>);
  }

  /** Null when refused. Refusals precede database errors, so the transaction can continue. */
  async #attempt<Made>(
    item: Item<BackupSection>,
    create: () => Promise<Made>,
  ): Promise<Made | null> {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof AppError) || error.fields.length === 0) throw error;
      this.problems.addRefusals(item, error.fields);
      return null;
    }
  }
}

interface AliasPlace {
  path: string;
  newAliases: Restored['new_aliases'];
}

async function createWholeIntegration(
  place: RestoreTarget,
  { matchers: rules, extract_values, aliases, ...input }: InputOf<'integrations'>,
  { path, newAliases }: AliasPlace,
): Promise<{ id: number }> {
  const { ctx, projectId } = place;
  const integration = await createIntegration(ctx, projectId, input);
  const owner = { projectId, integrationId: integration.id };
  for (const rule of rules) await matchers.create(ctx, owner, rule as never);
  for (const value of extract_values) await values.create(ctx, owner, value as never);
  await addAliases(place, integration, aliases, { path: `${path}.aliases`, newAliases });
  return integration;
}

async function addAliases(
  { ctx, projectId, base }: RestoreTarget,
  integration: { id: number; name: string } | null,
  aliases: string[],
  { path, newAliases }: AliasPlace,
): Promise<void> {
  const owner = { projectId, integrationId: integration && integration.id };
  for (const [index, alias] of aliases.entries()) {
    const { isReplaced, ...made } = await restoreAlias(ctx, owner, alias, base);
    if (!isReplaced) continue;
    const name = integration && integration.name;
    newAliases.push({ ...made, path: `${path}.${index}`, integration: name });
  }
}
