import { describe, expect, test } from 'vitest';
import type { ToldFacts } from '#shared/host-facts.ts';
import { hosts } from '#shared/api/hosts.ts';
import { projects } from '#shared/api/projects.ts';
import { tasks } from '#shared/api/tasks.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { hostResults } from '../../../../test/helpers/host-results.ts';
import { claimNext } from '../../../../test/helpers/tasks.ts';
import { tidyAll } from '../../automation/tasks/retention/retention.ts';
import { upsertHosts } from '../../automation/tasks/results/task-hosts.store.ts';
import { recordFacts } from '../../automation/tasks/runs/record-outputs.ts';
import { beginStep } from '../../automation/tasks/runs/runner-tasks.ts';
import { endTask } from '../../automation/tasks/move-task.ts';

describe('facts of hosts', () => {
  async function start(names = ['kernel', 'memtotal_mb', 'distribution']) {
    const { app, seed, params } = await appWithProject(null);
    const { id: template_id } = await seed.template({ name: 'Patch' });
    const keep = (host_facts: string[]) =>
      app.admin.call(projects.update, { params, body: { name: 'Project', host_facts } });
    await keep(names);
    /** A run on the hosts that tells these facts of them. */
    const run = async (told: Record<string, ToldFacts['facts']>): Promise<number> => {
      const { id } = await app.admin.call(tasks.start, { params, body: { template_id } });
      const task = await claimNext(app.ctx);
      if (task?.id !== id) throw new Error('The task was not taken.');
      expect(task.snapshot.hostFacts).toEqual(await listNames());
      await beginStep(app.ctx, task, { step: 1, commands: [] });
      const ok = Object.fromEntries(Object.keys(told).map((host) => [host, 'ok' as const]));
      await upsertHosts(app.ctx.db, task, hostResults(ok));
      const found = Object.entries(told).map(([host, facts]) => ({ host, facts }));
      await recordFacts(app.ctx, task, found);
      await endTask(app.ctx, task, 'success', { exitCode: 0, failure: null });
      return id;
    };
    const listNames = async () => (await app.admin.call(projects.one, { params })).host_facts;
    const facts = (host: string, caller: Pick<typeof app.admin, 'call'> = app.admin) =>
      caller.call(hosts.facts, { params: { ...params, host } });
    const sets = async () =>
      (await app.ctx.db.selectFrom('fact_sets').selectAll().execute()).length;
    return { app, seed, params, keep, run, facts, sets };
  }

  test('tell the last values, since when, and what changed', async () => {
    const { seed, app, run, facts, sets } = await start();
    const first = await run({
      a: { kernel: '6.1', memtotal_mb: '2000' },
      b: { kernel: '6.1', memtotal_mb: '2000' },
    });
    expect(await sets()).toBe(1);
    await run({ a: { kernel: '6.1', memtotal_mb: '2000' }, c: {} });
    const third = await run({ a: { kernel: '6.12', memtotal_mb: '4000' } });
    // A play that gathers a part of the facts says nothing of the others.
    const fourth = await run({ a: { memtotal_mb: '8000', other: 'x' } });
    const time = expect.stringMatching(/^\d{4}-/);
    expect(await facts('a')).toEqual({
      names: ['kernel', 'memtotal_mb', 'distribution'],
      told: { task_id: fourth, time },
      facts: [
        { name: 'kernel', value: '6.12', since: { task_id: third, time } },
        { name: 'memtotal_mb', value: '8000', since: { task_id: fourth, time } },
      ],
      changes: [
        {
          task_id: fourth,
          time,
          facts: [{ name: 'memtotal_mb', before: '4000', after: '8000' }],
        },
        {
          task_id: third,
          time,
          facts: [
            { name: 'kernel', before: '6.1', after: '6.12' },
            { name: 'memtotal_mb', before: '2000', after: '4000' },
          ],
        },
      ],
    });
    const b = await facts('b', await app.member(seed.projectId, 'guest'));
    expect(b.facts.map(({ since }) => since.task_id)).toEqual([first, first]);
    expect(b.changes).toEqual([]);
    expect((await facts('c')).facts).toEqual([]);
  });

  test('are shown as far as the project keeps them now', async () => {
    const { keep, run, facts } = await start();
    await run({ a: { kernel: '6.1', distribution: 'Debian' } });
    await keep(['distribution', 'fqdn']);
    expect((await facts('a')).facts.map(({ name }) => name)).toEqual(['distribution']);
    await keep([]);
    expect(await facts('a')).toMatchObject({ names: [], facts: [], changes: [] });
  });

  test('leave with their tasks', async () => {
    const { app, params, run, facts, sets } = await start();
    const old = await run({ a: { kernel: '5.10' } });
    const same = await run({ a: { kernel: '6.1' }, b: { kernel: '5.10' } });
    await run({ a: { kernel: '6.1' } });
    expect(await sets()).toBe(2);
    await app.admin.call(tasks.remove, { params: { ...params, task_id: old } });
    expect((await facts('a')).changes).toEqual([]);
    expect(await sets()).toBe(2);
    await app.admin.call(tasks.remove, { params: { ...params, task_id: same } });
    expect(await sets()).toBe(1);
    const past = '2001-01-01T00:00:00.000Z';
    await app.ctx.db.updateTable('tasks').set({ end: past }).execute();
    const ctx = { ...app.ctx, config: { ...app.ctx.config, keepDays: 1 } };
    await tidyAll(ctx, new AbortController().signal);
    expect(await sets()).toBe(0);
  });

  test('runs with the same facts, and the deletion of tasks, do not disturb each other', async () => {
    const { app, params, run, facts, sets } = await start();
    const ids: number[] = [];
    for (const kernel of ['1', '2', '1', '2']) ids.push(await run({ a: { kernel } }));
    const removed = ids.map((task_id) =>
      app.admin.call(tasks.remove, { params: { ...params, task_id } }),
    );
    const last = await run({ a: { kernel: '1' }, b: { kernel: '2' } });
    await Promise.all(removed);
    expect((await facts('b')).told?.task_id).toBe(last);
    expect(await sets()).toBe(2);
  });
});
