// What a run did on its hosts: in the answer for its task, in a table and in alerts.

import { expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import type { FailureGroup, RunHost } from '#shared/api/run-results.ts';
import type { Alert } from '#shared/api/alert-deliveries.ts';
import { addChannel } from '../../../../test/helpers/alerts.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { hostResults } from '../../../../test/helpers/host-results.ts';
import { claimNext, launch } from '../../../../test/helpers/tasks.ts';
import { updateFailures, upsertHosts } from './results/task-hosts.store.ts';
import { endTask } from './move-task.ts';

const failure: FailureGroup = {
  state: 'failed',
  task: 'Ask for the load',
  module: 'ansible.builtin.command',
  role: '',
  path: 'patch.yml',
  file_line: 23,
  message: 'The database is busy',
  result: 4,
  line: 12,
  hosts: ['db1', 'db2'],
  host_count: 2,
};

async function setUp() {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template();
  const { id } = await launch(app.admin, seed.projectId, { template_id: template.id });
  const task = await claimNext(app.ctx);
  if (task?.id !== id) throw new Error('The task is not due');
  const params = { project_id: seed.projectId, task_id: id };
  const store = async (hosts: RunHost[], failures: FailureGroup[]) => {
    await upsertHosts(app.ctx.db, task, hosts);
    await updateFailures(app.ctx.db, task, failures);
  };
  return { app, seed, task, params, store };
}

const outcomes = hostResults({
  db1: 'failed',
  db2: 'failed',
  web1: 'changed',
  web2: 'ok',
  web3: 'unreachable',
});
const counts = { ok: 1, changed: 1, failed: 2, unreachable: 1, total: 5 };

test('the answer for one task has the numbers of its hosts and its failures, lists do not', async () => {
  const { app, params, store } = await setUp();
  const before = await app.admin.call(tasks.one, { params });
  expect([before.host_counts, before.failures]).toEqual([null, []]);
  await store(outcomes, [failure]);
  const one = await app.admin.call(tasks.one, { params });
  expect(one.host_counts).toEqual(counts);
  expect(one.failures).toEqual([{ ...failure, file_url: null }]);
  const [listed] = await app.admin.call(tasks.list, {
    params: { project_id: params.project_id },
  });
  expect(Object.keys(listed ?? {})).not.toEqual(expect.arrayContaining(['failures']));
  expect(Object.keys(listed ?? {})).not.toEqual(expect.arrayContaining(['host_counts']));
});

test('each host counts once, by its most severe result', async () => {
  const { app, params, store } = await setUp();
  const [host] = hostResults({ web1: 'unreachable' });
  if (!host) throw new Error('There is no host');
  const all = { ...host, ok: 3, changed: 2, failed: 1, skipped: 1, rescued: 1, ignored: 1 };
  await store([all, ...hostResults({ web2: 'ok' })], []);
  const { host_counts: found } = await app.admin.call(tasks.one, { params });
  expect(found).toEqual({ ok: 1, changed: 0, failed: 0, unreachable: 1, total: 2 });
});

test('the hosts as a table, in which no name is a formula', async () => {
  const { app, params, store } = await setUp();
  const [one, two] = hostResults({ '=cmd|x': 'failed', 'web,1': 'ok' });
  if (!one || !two) throw new Error('There are no hosts');
  const first_failure = {
    result: 4,
    state: 'failed' as const,
    task: 'Ask "now"',
    line: 12,
    message: '@busy\nvery',
  };
  const begin = '2026-01-01T00:00:00.000Z';
  await store([{ ...one, begin, duration_ms: 1500, first_failure }, two], [failure]);
  const url = `/api/project/${params.project_id}/tasks/${params.task_id}/hosts/csv`;
  const { body, headers } = await app.admin.raw({ url });
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toBe(
    `attachment; filename="task_${params.task_id}_hosts.csv"`,
  );
  expect(body.split('\r\n')).toEqual([
    'host,ok,changed,failed,unreachable,skipped,rescued,ignored,begin,end,duration_ms,' +
      'failure_state,failure_task,failure_message,failure_line',
    `'=cmd|x,0,0,1,0,0,0,0,${begin},,1500,failed,"Ask ""now""","'@busy\nvery",12`,
    '"web,1",1,0,0,0,0,0,0,,,0,,,,',
    '',
  ]);
});

test('alerts have the failures and the numbers of hosts that were stored before the end', async () => {
  const { app, seed, task, store } = await setUp();
  // The server refuses this address before it connects.
  await addChannel(app.admin, seed.projectId, { address: 'http://127.0.0.1:9/' });
  await store(outcomes, [failure]);
  await endTask(app.ctx, task, 'error');
  const rows = await app.ctx.db.selectFrom('alert_deliveries').select('alert').execute();
  const alerts = rows.map(({ alert }) => JSON.parse(alert) as Alert);
  expect(alerts.map((alert) => [alert.task?.hosts, alert.task?.failures])).toEqual([
    [counts, [failure]],
  ]);
});
