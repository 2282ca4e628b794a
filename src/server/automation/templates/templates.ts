import { hasField } from '#shared/apps.ts';
import { MAX_NAME_LENGTH, type NewTemplate, type Template } from '#shared/api/templates.ts';
import { nameOfTask, paramsOfHolders } from '#shared/holders.ts';
import { refusedOption } from '#shared/terraform/options.ts';
import { hasApp } from '../apps/apps.ts';
import type { Context } from '../../context/context.ts';
import type { Db } from '../../db/open.ts';
import type { Versioned } from '../../db/resource.ts';
import { hasEnvironment } from '../../resources/environments/environments.ts';
import { hasExecutionEnvironment } from '../../resources/execution-environments/execution-environments.ts';
import { checkAll, fail, failFields, fieldError } from '../../lib/errors.ts';
import { hasInventory } from '../../resources/inventories/inventories.ts';
import { hasKey } from '../../resources/keys/keys.ts';
import { readPage, type Page } from '../../lib/page.ts';
import { type Mover, requireMove } from '../../people/grants/moves.ts';
import { hasRepository } from '../../resources/repositories/repositories.ts';
import { checkReferences, holdersIn, resource, type Target } from '../../resources/resource.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  clearView,
  hasName,
  hasView,
  listExisting,
  listFiltered,
  listFurther,
  markRestored,
  saveFurther,
  templateStore,
  type BareTemplate,
  type TemplateFilter,
} from './templates.store.ts';
import { listVaults, saveVaults, type TemplateVault } from './template-vaults.store.ts';
import { furtherOf, toValues, vaultsOf } from './written-values.ts';

export {
  countLaunch,
  hasView,
  isRestored,
  listAutorun,
  listKeeping,
  type Keeping,
} from './templates.store.ts';

const templates = resource(templateStore, 'templates', 'template');
export const templateRefs = templates.refs;
export const hasTemplate = templateStore.exists;

export type PlainTemplate = Omit<Template, 'last_task' | 'last_task_id'>;

type Further = { environment_id: number }[];

const complete = <T extends BareTemplate>(
  template: T,
  vaults: TemplateVault[],
  further: Further,
): T & PlainTemplate => ({
  ...template,
  environment_ids: [template.environment_id, ...further.map((one) => one.environment_id)].filter(
    (id) => id !== null,
  ),
  vaults,
  vault_key_id: vaults.find(({ name }) => name === null)?.vault_key_id ?? null,
});

const DEFAULT_LIMIT = 300;

export async function listTemplates(
  ctx: Context,
  projectId: number,
  { limit = DEFAULT_LIMIT, ...filter }: TemplateFilter,
): Promise<Page<PlainTemplate>> {
  const { before } = filter;
  if (before !== undefined && !(await hasTemplate(ctx.db, projectId, before))) {
    throw failFields(fieldError('before', 'field.reference'));
  }
  const read = (count: number) => listFiltered(ctx.db, projectId, { ...filter, limit: count });
  const page = await readPage(limit, read);
  const ids = page.items.map(({ id }) => id);
  const vaults = Map.groupBy(await listVaults(ctx.db, ids), (vault) => vault.template_id);
  const further = Map.groupBy(await listFurther(ctx.db, ids), (one) => one.template_id);
  const items = page.items.map((one) =>
    complete(one, vaults.get(one.id) ?? [], further.get(one.id) ?? []),
  );
  return { ...page, items };
}

export async function allTemplates(ctx: Context, projectId: number): Promise<PlainTemplate[]> {
  const all: PlainTemplate[] = [];
  for (let before: number | undefined; ;) {
    const { items, next } = await listTemplates(ctx, projectId, { before });
    all.push(...items);
    if (next === null) return all;
    before = next;
  }
}

export async function listTemplatesOfView(
  ctx: Context,
  projectId: number,
  viewId: number,
  filter: TemplateFilter,
): Promise<Page<PlainTemplate>> {
  if (!(await hasView(ctx.db, projectId, viewId))) throw fail('view.not_found');
  return listTemplates(ctx, projectId, { ...filter, viewId });
}

export async function requireTemplate(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<Versioned<PlainTemplate>> {
  const template = await templates.require(ctx, projectId, id);
  return complete(template, await listVaults(ctx.db, [id]), await listFurther(ctx.db, [id]));
}

export async function createTemplate(
  ctx: Context,
  projectId: number,
  input: NewTemplate,
): Promise<Versioned<PlainTemplate>> {
  await check(ctx, projectId, input, null);
  return insertTemplate(ctx, projectId, input);
}

async function insertTemplate(
  ctx: Context,
  projectId: number,
  input: NewTemplate,
): Promise<Versioned<PlainTemplate>> {
  const id = await inTransaction(ctx, async (inner) => {
    const { id: created } = await templates.create(inner, projectId, toValues(input));
    const owner = { project_id: projectId, template_id: created };
    await saveVaults(inner.db, owner, vaultsOf(input));
    await saveFurther(inner.db, projectId, created, furtherOf(input));
    return created;
  });
  return requireTemplate(ctx, projectId, id);
}

/** Creates a template of a user, with checks that restored templates need not pass. */
export async function createWritten(
  ctx: Context,
  projectId: number,
  input: NewTemplate,
): Promise<Versioned<PlainTemplate>> {
  await checkWritten(ctx, projectId, input, null);
  return insertTemplate(ctx, projectId, input);
}

/** Marks the template as restored, because a backup contains no states of Terraform. */
export async function createRestored(
  ctx: Context,
  projectId: number,
  input: NewTemplate,
): Promise<Versioned<PlainTemplate>> {
  const template = await createTemplate(ctx, projectId, input);
  await markRestored(ctx.db, template.id);
  return template;
}

/** Creates a template from a copy of another one, with an unused name. */
export async function copyTemplate(
  ctx: Context,
  projectId: number,
  input: NewTemplate,
): Promise<Versioned<PlainTemplate>> {
  const name = await freeName(ctx.db, projectId, input.name);
  return createTemplate(ctx, projectId, { ...input, name });
}

/** The first unused of the name, "Name (copy)", "Name (copy 2)" and so on. */
async function freeName(db: Db, projectId: number, name: string): Promise<string> {
  for (let count = 0; ; count += 1) {
    const end = ['', ' (copy)'][count] ?? ` (copy ${count})`;
    const free = `${name.slice(0, MAX_NAME_LENGTH - end.length).trimEnd()}${end}`;
    if (!(await hasName(db, projectId, free))) return free;
  }
}

export async function changeTemplate(
  ctx: Context,
  target: Target,
  input: NewTemplate,
  mover: Mover,
): Promise<void> {
  const { projectId, id } = target;
  await checkWritten(ctx, projectId, input, id);
  await inTransaction(ctx, async (inner) => {
    const { view_id: from } = await templates.require(inner, projectId, id);
    await requireMove(inner, { object: { type: 'template', id }, from, to: input.view_id }, mover);
    await templates.change(inner, target, toValues(input));
    const owner = { project_id: projectId, template_id: id };
    await saveVaults(inner.db, owner, vaultsOf(input));
    await saveFurther(inner.db, projectId, id, furtherOf(input));
  });
}

/** Refused while the template has `unfinished` tasks. */
export async function removeTemplate(
  ctx: Context,
  projectId: number,
  id: number,
  unfinished: number[],
): Promise<void> {
  if (unfinished.length > 0) {
    const holders = holdersIn(await templateRefs(ctx, projectId, id));
    const all = { ...holders, tasks: unfinished.map(nameOfTask) };
    throw fail('template.in_use', paramsOfHolders(all));
  }
  await templates.remove(ctx, projectId, id);
}

export async function leaveView(ctx: Context, projectId: number, viewId: number): Promise<void> {
  if (!(await clearView(ctx.db, projectId, viewId))) return;
  ctx.hub.publish('resource.changed', { projectId, noun: 'templates' });
}

function refuseArguments({ app, arguments: text }: NewTemplate): void {
  const refused = refusedOption(app, JSON.parse(text || '[]') as string[]);
  if (!refused) return;
  const code = `template.argument_${refused.because}` as const;
  throw failFields(fieldError('arguments', code, { option: refused.option }));
}

const checkWritten = (
  ctx: Context,
  projectId: number,
  input: NewTemplate,
  id: number | null,
): Promise<void> =>
  checkAll([() => refuseArguments(input), () => check(ctx, projectId, input, id)]);

const appFields = ['limit', 'tags', 'skip_tags', 'auto_approve'] as const;

const check = (
  ctx: Context,
  projectId: number,
  input: NewTemplate,
  id: number | null,
): Promise<void> =>
  checkAll([
    () => checkApp(ctx, input),
    () => refuseRepeated(input),
    () => checkBuildTemplate(ctx, projectId, input, id),
    () => checkNamed(ctx, projectId, input),
  ]);

async function checkApp(ctx: Context, input: NewTemplate): Promise<void> {
  if (!(await hasApp(ctx, input.app))) throw failFields(fieldError('app', 'template.app_unknown'));
  // If a limit were dropped silently, people would believe that it applies.
  const foreign = appFields.find((name) => input[name] && !hasField(input.app, name));
  if (foreign) throw fail('task.field_not_supported', { app: input.app, field: foreign });
}

async function checkNamed(ctx: Context, projectId: number, input: NewTemplate): Promise<void> {
  const vaults = input.vaults.map((vault, index) => [
    `vaults.${index}.vault_key_id`,
    [vault.vault_key_id, hasKey],
  ]);
  const environments = furtherOf(input).map((environmentId, index) => [
    `environment_ids.${index + 1}`,
    [environmentId, hasEnvironment],
  ]);
  await checkReferences(ctx, projectId, {
    inventory_id: [input.inventory_id ?? null, hasInventory],
    repository_id: [input.repository_id, hasRepository],
    environment_id: [input.environment_id ?? null, hasEnvironment],
    view_id: [input.view_id, hasView],
    execution_environment_id: [input.execution_environment_id, hasExecutionEnvironment],
    vault_key_id: [input.vault_key_id, hasKey],
    ...Object.fromEntries([...vaults, ...environments]),
  });
}

function refuseRepeated({ environment_ids: ids }: NewTemplate): void {
  const repeated = ids.flatMap((id, index) => (ids.indexOf(id) < index ? [index] : []));
  if (repeated.length === 0) return;
  throw failFields(
    ...repeated.map((at) => fieldError(`environment_ids.${at}`, 'template.environment_repeated')),
  );
}

/** A deploy leads to a build, perhaps through other deploys, and never back to itself. */
async function checkBuildTemplate(
  ctx: Context,
  projectId: number,
  { type, build_template_id: buildId }: NewTemplate,
  id: number | null,
): Promise<void> {
  if (type !== 'deploy') return;
  const seen = new Set([id]);
  for (let next = buildId; next !== null;) {
    const template = seen.has(next) ? null : await templateStore.find(ctx.db, projectId, next);
    if (!template || template.type === '') {
      throw failFields(fieldError('build_template_id', 'template.build_template_wrong'));
    }
    seen.add(next);
    next = template.type === 'deploy' ? template.build_template_id : null;
  }
}

/** Those of the templates that exist in their project. */
export async function listKnownTemplates(
  ctx: Context,
  named: { project_id: number; template_id: number }[],
): Promise<{ project_id: number; template_id: number }[]> {
  const ids = named.map(({ template_id: id }) => id);
  const projects = new Map(
    (await listExisting(ctx.db, ids)).map((row) => [row.template_id, row.project_id]),
  );
  return named.filter((one) => projects.get(one.template_id) === one.project_id);
}
