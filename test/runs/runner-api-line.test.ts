// Also on PostgreSQL: what a run asks over the line, also as an earlier version of the runner does.

import { expect, test } from 'vitest';
import { runnerApiEndpoints, type Report } from '#shared/api/runner-api.ts';
import { createServerClient, RefusedRequestError } from '../../src/runner/client/server-client.ts';
import { isServerUnavailable } from '../../src/runner/api/server-unavailable.ts';
import { testApp } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { enterWithKey } from '../helpers/runner-caller.ts';
import { claimNext, launch, readTask } from '../helpers/tasks.ts';

const time = '2026-05-01T10:00:00.000Z';

test('over the line, a refusal is told from a server that is away', async () => {
  const app = await testApp();
  const { credential } = await enterWithKey(app);
  const here = createServerClient({ url: await app.listen() }, credential);
  const gone = createServerClient({ url: 'http://127.0.0.1:1' }, credential);
  const params = { task_id: 1 };
  const refused = await here(runnerApiEndpoints.secrets, { params, body: { lease: 1 } }).catch(
    String,
  );
  expect(refused).toContain('task');
  const error: unknown = await gone(runnerApiEndpoints.secrets, {
    params,
    body: { lease: 1 },
  }).catch((cause: unknown) => cause);
  expect([isServerUnavailable(error), error instanceof RefusedRequestError]).toEqual([true, false]);
});

/** A runner that was given a task and tells of it over the line. */
async function tellingRunner() {
  const { app, seed } = await appWithProject(null);
  const { id: template_id } = await seed.template({});
  const launched = await launch(app.admin, seed.projectId, { template_id });
  const task = await claimNext(app.ctx);
  const { credential, runnerId } = await enterWithKey(app);
  await app.ctx.db.updateTable('tasks').set({ runner_id: runnerId }).execute();
  const ask = createServerClient({ url: await app.listen() }, credential);
  return {
    shown: () => readTask(app.admin, launched),
    tell: (report: Report) =>
      ask(runnerApiEndpoints.report, {
        params: { task_id: launched.id },
        body: { lease: task?.lease ?? 0, report },
      }),
  };
}

test('hears from an earlier runner that a task runs before its first step begins', async () => {
  const { tell, shown } = await tellingRunner();
  expect(await tell({ kind: 'move', to: 'running', why: null })).toMatchObject({ accepted: true });
  expect(await tell({ kind: 'move', to: 'running', why: null })).toMatchObject({ accepted: false });
  const commands = ['bash play.yml'];
  // It sends no lines with its steps.
  const step = { kind: 'step', step: 1, commands } as Report;
  expect(await tell(step)).toMatchObject({ accepted: true });
  expect(await shown()).toMatchObject({ status: 'running', commands });
});

test('stores what comes with a step once, also when the request comes again', async () => {
  const { tell, shown } = await tellingRunner();
  const log = { from: 1, lines: [{ time, outputs: ['one', 'two'] }], spool_offset: 0 };
  const step: Report = { kind: 'step', step: 1, commands: [], log };
  for (let times = 0; times < 2; times += 1) {
    expect(await tell(step)).toMatchObject({ accepted: true });
    expect(await shown()).toMatchObject({ log_lines: 2 });
  }
  const gap = tell({ ...step, step: 2, log: { ...log, from: 9 } });
  await expect(gap).rejects.toMatchObject({ refusal: 'runner.lines_missing' });
});
