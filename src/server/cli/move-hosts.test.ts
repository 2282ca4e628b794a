// Only on PostgreSQL: an installation is moved from SQLite to PostgreSQL.
// Slow: a whole installation is moved, and another one is set up from a copy of its files.
// What is known of hosts and plans goes with an installation.

import { cp } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { pathOf } from '#shared/api/path.ts';
import { hosts } from '#shared/api/hosts.ts';
import { inventories } from '#shared/api/inventories.ts';
import { projects } from '#shared/api/projects.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { RunPlan } from '#shared/api/task-plan.ts';
import type { TestApp } from '../../../test/helpers/app.ts';
import { runInside } from '../../../test/helpers/command.ts';
import { hostResults } from '../../../test/helpers/host-results.ts';
import { from, installation } from '../../../test/helpers/moved-installation.ts';
import { folder, seedProject } from '../../../test/helpers/seed.ts';
import { claimNext } from '../../../test/helpers/tasks.ts';
import { createApp, type App } from '../app.ts';
import type { Context } from '../context/context.ts';
import { openContext } from '../open-context.ts';
import { upsertHosts } from '../automation/tasks/results/task-hosts.store.ts';
import { recordFacts } from '../automation/tasks/runs/record-outputs.ts';
import { beginStep } from '../automation/tasks/runs/runner-tasks.ts';
import { recordPlan } from '../automation/tasks/task-plan.ts';
import { endTask } from '../automation/tasks/move-task.ts';

// In milliseconds: each command starts a process.
const longTime = 180_000;

const plan: RunPlan = {
  counts: { create: 1, update: 0, replace: 0, delete: 0, read: 0 },
  changes: [
    {
      address: 'null_resource.web',
      type: 'null_resource',
      provider: 'registry.terraform.io/hashicorp/null',
      action: 'create',
      reason: null,
      moved_from: null,
      is_imported: false,
      attributes: [],
      forcing: [],
    },
  ],
  is_complete: true,
  is_whole: false,
};

/** Runs on these hosts, each with a kernel of its own. */
async function ranOn(ctx: Context, kernels: Record<string, string>): Promise<number> {
  const task = await claimNext(ctx);
  if (!task) throw new Error('No task waits.');
  await beginStep(ctx, task, { step: 1, commands: [] });
  const told = Object.entries(kernels);
  const results = told.map(([host], index) => [host, index > 0 ? 'failed' : 'ok'] as const);
  await upsertHosts(ctx.db, task, hostResults(Object.fromEntries(results)));
  await recordFacts(
    ctx,
    task,
    told.map(([host, kernel]) => ({ host, facts: { kernel } })),
  );
  await recordPlan(ctx, task, plan);
  await endTask(ctx, task, 'success', { exitCode: 0, failure: null });
  return task.id;
}

/** An installation with runs on hosts, of which the last one is deleted again. */
async function withHosts({ admin, ctx }: TestApp) {
  const seed = await seedProject(admin, null);
  const params = { project_id: seed.projectId };
  await admin.call(projects.update, { params, body: { name: 'Hosts', host_facts: ['kernel'] } });
  await admin.call(inventories.create, {
    params,
    body: {
      name: 'Servers',
      type: 'static',
      inventory: '[web]\nweb-[1:2]\nidle\n',
      ssh_key_id: seed.keyId,
    },
  });
  const { id: template_id } = await seed.template();
  const run = async (kernels: Record<string, string>): Promise<number> => {
    await admin.call(tasks.start, { params, body: { template_id } });
    return ranOn(ctx, kernels);
  };
  await run({ 'web-1': '6.1', 'web-2': '6.1' });
  const last = await run({ 'web-1': '6.12', 'web-2': '6.1', 'added-1': '5.10' });
  const gone = await run({ 'gone-1': '4.9' });
  const addresses = [
    pathOf(hosts.list, { params }),
    ...['web-1', 'web-2', 'idle', 'added-1'].flatMap((host) => [
      pathOf(hosts.one, { params: { ...params, host } }),
      pathOf(hosts.facts, { params: { ...params, host } }),
      pathOf(hosts.tasks, { params: { ...params, host } }),
    ]),
    pathOf(tasks.plan, { params: { ...params, task_id: last } }),
    `${pathOf(tasks.one, { params: { ...params, task_id: last } })}/hosts`,
  ];
  const ids = await lastIds(ctx);
  await admin.call(tasks.remove, { params: { ...params, task_id: gone } });
  return { template_id, addresses, ids, params };
}

const tables = ['hosts', 'inventory_hosts', 'task_hosts', 'task_plans', 'fact_sets'] as const;

async function lastIds({ db }: Context): Promise<number[]> {
  const found: number[] = [];
  for (const table of ['hosts', 'fact_sets'] as const) {
    const rows = await db.selectFrom(table).select('id').orderBy('id', 'desc').execute();
    found.push(rows[0]?.id ?? 0);
  }
  return found;
}

async function answers({ http }: App, cookie: string, addresses: string[]) {
  const found: [string, number, unknown][] = [];
  for (const url of addresses) {
    const reply = await http.inject({ url, headers: { cookie } });
    found.push([url, reply.statusCode, reply.json<unknown>()]);
  }
  return found;
}

async function opened(parts: TestApp['parts']): Promise<{ ctx: Context; app: App }> {
  const ctx = await openContext(parts);
  onTestFinished(ctx.close);
  const app = await createApp(ctx, parts);
  onTestFinished(app.close);
  return { ctx, app };
}

test(
  'hosts, their facts and plans are there after a move and from a copy',
  { timeout: longTime },
  async () => {
    const { app, url, settings, stop } = await installation();
    const { template_id, addresses, ids, params } = await withHosts(app);
    const { cookie } = app.admin;
    const before = await answers(app.app, cookie, addresses);
    expect(before.filter(([, status]) => status !== 200)).toEqual([]);
    const text = JSON.stringify(before);
    for (const words of ['6.12', 'null_resource.web', 'added-1', '"web"'])
      expect(text).toContain(words);
    await stop();

    const moved = await runInside(from, settings);
    expect([moved.code, moved.error]).toEqual([0, '']);
    for (const table of tables) {
      const line = moved.out.split('\n').find((one) => one.startsWith(`${table} `)) ?? '';
      expect(line).toMatch(/^\w+ +[1-9]\d* +[1-9]\d* +(\w{16}) +\1 +equal$/);
    }
    // The copy of a data folder is a backup of an installation on SQLite.
    const copy = await folder();
    await cp(app.parts.config.dataDir, copy, { recursive: true });
    const { config } = app.parts;
    const places = [
      { ...config, databaseUrl: url },
      { ...config, dataDir: copy },
    ];
    for (const place of places) {
      const there = await opened({ ...app.parts, config: place });
      expect(await answers(there.app, cookie, addresses)).toEqual(before);
      const started = await there.app.http.inject({
        method: 'POST',
        url: pathOf(tasks.start, { params }),
        headers: { cookie },
        payload: { template_id },
      });
      expect(started.statusCode).toBe(201);
      await ranOn(there.ctx, { 'web-1': '6.13', 'new-1': '6.1' });
      // The ids of what was deleted are not given again.
      const next = await lastIds(there.ctx);
      expect(next.map((id, index) => id > (ids[index] ?? id))).toEqual([true, true]);
      const facts = pathOf(hosts.facts, { params: { ...params, host: 'web-1' } });
      const [[, , shown] = []] = await answers(there.app, cookie, [facts]);
      expect(shown).toMatchObject({
        facts: [{ name: 'kernel', value: '6.13' }],
        changes: [
          { facts: [{ before: '6.12', after: '6.13' }] },
          { facts: [{ before: '6.1', after: '6.12' }] },
        ],
      });
    }
  },
);
