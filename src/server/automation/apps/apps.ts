// The apps of tasks: built-in apps with the changes of administrators, and added ones.

import type { App, AppFields } from '#shared/api/apps.ts';
import { builtInApps, findBuiltIn, kindOf } from '#shared/apps.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import { paramsOfHolders } from '#shared/holders.ts';
import type { Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';
import { fail } from '../../lib/errors.ts';
import { isInstalled } from '../../../node/process/installed-programs.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  findStoredApp,
  listAppUsers,
  listStoredApps,
  removeStoredApp,
  saveStoredApp,
  type StoredApp,
} from './apps.store.ts';

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

const complete = (ctx: Context, app: KnownApp): App => ({
  ...app,
  available: isInstalled(ctx.config, app.path),
});

/** The app with the highest priority comes first. */
export async function listApps(ctx: Context): Promise<App[]> {
  const stored = new Map((await listStoredApps(ctx.db)).map((app) => [app.id, app]));
  const ids = new Set([...builtInApps.map(({ id }) => id), ...stored.keys()]);
  const apps = [...ids].map((id) => known(id, stored.get(id) ?? null));
  apps.sort((a, b) => b.priority - a.priority || a.title.localeCompare(b.title));
  return apps.map((app) => complete(ctx, app));
}

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

/** The program of an app; refuses if tasks of the app cannot be launched. */
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
    await recordApp(inner, 'app.changed', id);
  });
}

// The id of an app is a word, which is also its name in events.
function recordApp(ctx: Context, code: Extract<EventCode, `app.${string}`>, name: string) {
  return record(ctx, { code, projectId: null, object: { type: 'app', id: null, name } });
}

export async function switchApp(ctx: Context, id: string, active: boolean): Promise<void> {
  const stored = await findStoredApp(ctx.db, id);
  if (!stored && !findBuiltIn(id)) throw fail('app.not_found', { app: id });
  await inTransaction(ctx, async (inner) => {
    await saveStoredApp(inner.db, { ...(stored ?? { id, ...unchanged }), active });
    await recordApp(inner, active ? 'app.switched_on' : 'app.switched_off', id);
  });
}

export async function removeApp(ctx: Context, id: string): Promise<void> {
  const isBuiltIn = findBuiltIn(id) !== undefined;
  const users = isBuiltIn ? [] : await listAppUsers(ctx.db, id);
  if (users.length > 0) {
    throw fail('app.in_use', paramsOfHolders({ templates: users.map(({ name }) => name) }));
  }
  await inTransaction(ctx, async (inner) => {
    const isRemoved = await removeStoredApp(inner.db, id);
    if (!isRemoved && !isBuiltIn) throw fail('app.not_found', { app: id });
    await recordApp(inner, 'app.deleted', id);
  });
}
