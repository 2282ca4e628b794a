// What tasks can be run with: the built-in apps, as the administrator has changed them, and
// those that were added.

import type { App, AppFields } from '#shared/api/apps.ts';
import { builtInApps, findBuiltIn, kindOf } from '#shared/apps.ts';
import type { EventCode } from '#shared/events.ts';
import type { Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';
import { fail } from '../../lib/errors.ts';
import { isInstalled } from '../../../runner/system/programs.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  findStoredApp,
  isAppUsed,
  listStoredApps,
  removeStoredApp,
  saveStoredApp,
  type StoredApp,
} from './apps.store.ts';

/** An app without the question whether its program is there. */
type KnownApp = Omit<App, 'available'>;

const unchanged: Omit<StoredApp, 'id'> = {
  title: '',
  active: true,
  priority: 0,
  icon: '',
  color: '',
  dark_color: '',
  path: '',
  args: [],
};

function known(id: string, stored: StoredApp | null): KnownApp {
  const builtIn = findBuiltIn(id);
  const own = builtIn
    ? { ...builtIn, path: builtIn.program }
    : { ...unchanged, title: id, path: id };
  const fields = stored ?? unchanged;
  return {
    id,
    kind: kindOf(id),
    built_in: builtIn !== undefined,
    active: fields.active,
    title: fields.title || own.title,
    priority: fields.priority || own.priority,
    icon: fields.icon || own.icon,
    color: fields.color || own.color,
    dark_color: fields.dark_color || own.dark_color,
    path: fields.path || own.path,
    args: fields.args.length > 0 ? fields.args : own.args,
  };
}

async function complete(ctx: Context, app: KnownApp): Promise<App> {
  return { ...app, available: await isInstalled(ctx.config, app.path) };
}

/** The highest priority first. */
export async function listApps(ctx: Context): Promise<App[]> {
  const stored = new Map((await listStoredApps(ctx.db)).map((app) => [app.id, app]));
  const ids = new Set([...builtInApps.map(({ id }) => id), ...stored.keys()]);
  const apps = [...ids].map((id) => known(id, stored.get(id) ?? null));
  apps.sort((a, b) => b.priority - a.priority || a.title.localeCompare(b.title));
  return Promise.all(apps.map((app) => complete(ctx, app)));
}

/** Null: no such app. */
async function findApp(ctx: Context, id: string): Promise<KnownApp | null> {
  const stored = await findStoredApp(ctx.db, id);
  return stored || findBuiltIn(id) ? known(id, stored) : null;
}

export async function hasApp(ctx: Context, id: string): Promise<boolean> {
  return (await findApp(ctx, id)) !== null;
}

export async function requireApp(ctx: Context, id: string): Promise<App> {
  const app = await findApp(ctx, id);
  if (!app) throw fail('app.not_found', { app: id });
  return complete(ctx, app);
}

/** The program of an app that tasks may be launched with; refuses when they may not. */
export async function requireProgram(
  ctx: Context,
  id: string,
): Promise<{ path: string; args: string[] }> {
  const { active, available, path, args, title } = await requireApp(ctx, id);
  if (!active) throw fail('template.app_inactive', { app: title });
  if (!available) throw fail('template.app_unavailable', { program: path });
  return { path, args };
}

export async function saveApp(ctx: Context, id: string, fields: AppFields): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const stored = await findStoredApp(inner.db, id);
    const { active = stored?.active ?? unchanged.active } = fields;
    await saveStoredApp(inner.db, { id, ...fields, active });
    await tell(inner, 'app.changed', id);
  });
}

// An app has a word as its id, which is the name here.
function tell(ctx: Context, code: Extract<EventCode, `app.${string}`>, name: string) {
  return record(ctx, { code, projectId: null, object: { type: 'app', id: null, name } });
}

export async function switchApp(ctx: Context, id: string, active: boolean): Promise<void> {
  const stored = await findStoredApp(ctx.db, id);
  if (!stored && !findBuiltIn(id)) throw fail('app.not_found', { app: id });
  await inTransaction(ctx, async (inner) => {
    await saveStoredApp(inner.db, { ...(stored ?? { id, ...unchanged }), active });
    await tell(inner, active ? 'app.switched_on' : 'app.switched_off', id);
  });
}

export async function removeApp(ctx: Context, id: string): Promise<void> {
  const isBuiltIn = findBuiltIn(id) !== undefined;
  if (!isBuiltIn && (await isAppUsed(ctx.db, id))) throw fail('app.in_use');
  await inTransaction(ctx, async (inner) => {
    const isRemoved = await removeStoredApp(inner.db, id);
    if (!isRemoved && !isBuiltIn) throw fail('app.not_found', { app: id });
    await tell(inner, 'app.deleted', id);
  });
}
