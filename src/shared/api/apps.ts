import { z } from 'zod';
import { appKinds } from '../apps.ts';
import { endpoint } from './endpoint.ts';
import { refsEndpoint } from './references.ts';
import { initially, naming, optional, optionalLine, switchBody } from '../fields.ts';

/** A tool that runs tasks. */
const app = z.object({
  id: z.string(),
  kind: z.enum(appKinds),
  built_in: z.boolean(),
  title: z.string(),
  active: z.boolean(),
  /** Whether its program is installed on the server. */
  available: z.boolean(),
  /** Apps with a higher number are listed first. */
  priority: z.number().int(),
  icon: z.string(),
  color: z.string(),
  dark_color: z.string(),
  /** Empty for users who may not change apps. */
  path: z.string(),
  /** The arguments before all others; empty for users who may not change apps. */
  args: z.array(z.string()),
});
export type App = z.output<typeof app>;

const appId = z.string().regex(/^[a-z][a-z0-9_-]{0,49}$/);
const params = { app_id: naming(appId, 'app.not_found') };

const program = optionalLine(1024).refine(
  (path) => path === '' || /^(?:\/.+|[\w.][\w.+-]*)$/.test(path),
  { error: 'app.path' },
);

const args = z
  .array(optionalLine(1024))
  .max(50)
  .nullish()
  .transform((list) => list ?? []);

/** Empty fields have the values of the built-in app. The default program of an added app is its name. */
const appFields = z.object({
  title: initially(optionalLine(100), ''),
  /** Absent: unchanged. A new app is active by default. */
  active: optional(z.boolean()),
  priority: initially(z.number().int().min(-100_000).max(100_000), 0),
  icon: initially(optionalLine(100), ''),
  color: initially(optionalLine(50), ''),
  dark_color: initially(optionalLine(50), ''),
  path: initially(program, ''),
  args,
});
export type AppFields = z.output<typeof appFields>;

const save = {
  permission: 'admin',
  path: '/api/apps/:app_id',
  params,
  body: appFields,
} as const;

export const apps = {
  list: endpoint.get('/api/apps', {
    permission: 'user',
    projectTokens: true,
    summary: 'What tasks can be run with, those that are switched off too',
    reply: z.array(app),
  }),
  one: endpoint.get('/api/apps/:app_id', {
    permission: 'admin',
    summary: 'One app',
    params,
    reply: app,
  }),
  update: endpoint({
    ...save,
    method: 'PUT',
    summary: 'Change an app, or add one that runs a program of the server',
  }),
  create: endpoint({
    ...save,
    method: 'POST',
    forOthers: true,
    summary: 'The same as PUT, for older clients',
  }),
  refs: refsEndpoint('/api/apps/:app_id', 'an app', { permission: 'admin', params }),
  switch: endpoint.post('/api/apps/:app_id/active', {
    permission: 'admin',
    summary: 'Switch an app on or off',
    params,
    body: switchBody,
    kept: ['path', 'args'],
  }),
  remove: endpoint.delete('/api/apps/:app_id', {
    permission: 'admin',
    summary: 'Remove an app that no template uses; a built-in one is as it was at first',
    params,
    refuses: ['app.in_use'],
  }),
};
