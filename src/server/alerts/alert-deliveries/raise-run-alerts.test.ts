// Which alerts are raised by runs of workflows: their ends, and approvals that begin to wait.

import { expect, test } from 'vitest';
import { type AlertEvent, alertEvents } from '#shared/alerts.ts';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { alertDeliveries, type Alert } from '#shared/api/alert-deliveries.ts';
import { members } from '#shared/api/members.ts';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { workflows } from '#shared/api/workflows.ts';
import {
  addChannel,
  alertConfig,
  listAlerts,
  untilTried,
} from '../../../../test/helpers/alerts.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { startMailServer } from '../../../../test/helpers/mail-server.ts';
import { startReceiver } from '../../../../test/helpers/receiver.ts';
import { flows } from '../../../../test/helpers/workflows.ts';
import { inTransaction } from '../../context/transaction.ts';
import { endTask, moveTask } from '../../automation/tasks/move-task.ts';
import { Sender } from './sender.ts';

// The server refuses this address before it connects.
const address = 'http://127.0.0.1:9/';

const approval = (fields: object = {}) => ({
  type: 'approval' as const,
  key: 'ask',
  name: 'Deploy to production',
  question: 'Go on?',
  roles: ['owner' as const],
  ...fields,
});

async function start(config = alertConfig()) {
  const app = await testApp({ config });
  const f = await flows(app);
  const { projectId } = f.seed;
  const hears = (events: AlertEvent[], limits: object = {}) =>
    addChannel(app.admin, projectId, { address, events, ...limits });
  const ofRuns = async () =>
    (await listAlerts(app.admin, projectId)).filter(({ run_id: run }) => run !== null);
  const told = async () => (await ofRuns()).map((one) => [one.run_id, one.event, one.recipient]);
  const decide = (run: { id: number }, approve: boolean) =>
    app.admin.call(workflowRuns.decide, {
      params: { ...f.params, run_id: run.id, node: 'ask' },
      body: { approve },
    });
  const stop = (run: { id: number }) =>
    app.admin.call(workflowRuns.stop, { params: { ...f.params, run_id: run.id }, body: {} });
  return { ...f, hears, ofRuns, told, decide, stop };
}

test('each event is told once to the channels that want it', async () => {
  const { hears, ofRuns, told, launch, decide, stop, ...f } = await start();
  await hears([...alertEvents]);
  await hears(['stopped']);
  const flow = await f.add([approval()], '', 'Release');
  const runs: number[] = [];
  for (const approve of [true, false, true, true]) {
    const run = await launch(flow);
    await decide(run, approve);
    runs.push(run.id);
  }
  const stopped = await launch(flow);
  await stop(stopped);
  await stop(stopped);
  expect(await told()).toEqual([
    [runs[0], 'waiting', 'channel'],
    [runs[0], 'succeeded', 'channel'],
    [runs[1], 'waiting', 'channel'],
    [runs[1], 'failed', 'channel'],
    [runs[2], 'waiting', 'channel'],
    [runs[2], 'recovered', 'channel'],
    [runs[3], 'waiting', 'channel'],
    [runs[3], 'succeeded', 'channel'],
    [stopped.id, 'waiting', 'channel'],
    [stopped.id, 'stopped', 'channel'],
    [stopped.id, 'stopped', 'channel'],
  ]);
  expect((await ofRuns())[0]).toMatchObject({
    task_id: null,
    template_id: null,
    template_name: '',
    workflow_id: flow.id,
    workflow_name: 'Release',
  });
});

test('a channel hears of the templates and workflows that it names, or of all', async () => {
  const { hears, told, launch, decide, app, params, ...f } = await start();
  const [one, two] = [await f.add([approval()]), await f.add([approval()])];
  const template = await f.seed.template();
  const all = await hears(['succeeded']);
  const ofOne = await hears(['succeeded'], { workflow_ids: [one.id] });
  const ofTemplates = await hears(['succeeded'], { template_ids: [template.id] });
  expect([all.workflow_ids, ofOne.workflow_ids]).toEqual([[], [one.id]]);
  for (const flow of [one, two]) await decide(await launch(flow), true);
  const list = await listAlerts(app.admin, params.project_id);
  expect(list.map((alert) => [alert.workflow_id, alert.channel_id])).toEqual([
    [one.id, all.id],
    [one.id, ofOne.id],
    [two.id, all.id],
  ]);
  expect(await told()).toHaveLength(3);
  const at = { ...params, alert_channel_id: ofTemplates.id };
  const body = { name: 'C', type: 'webhook' as const, events: ['succeeded' as const] };
  await app.admin.call(alertChannels.update, {
    params: at,
    body: { ...body, template_ids: [template.id], workflow_ids: [two.id] },
  });
  const { workflow_ids } = await app.admin.call(alertChannels.one, { params: at });
  expect(workflow_ids).toEqual([two.id]);
  const wrong = await app.admin.ask(alertChannels.update, {
    params: at,
    body: { ...body, workflow_ids: [two.id, 999] },
  });
  expect(wrong.body.fields?.map(({ path, code }) => [path, code])).toEqual([
    ['workflow_ids.1', 'field.reference'],
  ]);
  const removal = { params: { ...params, workflow_id: two.id } };
  const { status, body: refused } = await app.admin.ask(workflows.remove, removal);
  expect([status, refused.code]).toEqual([400, 'workflow.in_use']);
  await app.admin.call(alertChannels.remove, { params: at });
  await app.admin.call(workflows.remove, removal);
});

test('a failed run says which nodes failed and why', async () => {
  const { app, hears, launch, end, decide, ...f } = await start();
  await hears(['failed', 'waiting']);
  const flow = await f.add([await f.node('Build'), approval()], '', 'Release');
  const run = await launch(flow);
  await end(run, 'Build', 'error');
  await decide(run, false);
  const rows = await app.ctx.db
    .selectFrom('alert_deliveries')
    .select(['alert', 'run_id'])
    .execute();
  const alerts = rows
    .filter((row) => row.run_id !== null)
    .map((row) => JSON.parse(row.alert) as Alert);
  expect(alerts).toMatchObject([
    {
      event: 'waiting',
      task: null,
      workflow_run: {
        id: run.id,
        workflow: { id: flow.id, name: 'Release' },
        status: 'running',
        duration: null,
        failed_nodes: [],
        approval: { key: 'ask', name: 'Deploy to production', question: 'Go on?' },
      },
    },
    {
      event: 'failed',
      workflow_run: {
        status: 'error',
        duration: expect.any(Number) as number,
        approval: null,
        failed_nodes: [
          { name: 'Build' },
          {
            name: 'Deploy to production',
            reason: expect.stringMatching(/ rejected "Deploy to production"\.$/) as string,
          },
        ],
      },
    },
  ]);
});

test('each of several approvals of a run is told', async () => {
  const { hears, told, launch, ...f } = await start();
  await hears(['waiting']);
  const other = approval({ key: 'other', name: 'Other' });
  const run = await launch(await f.add([approval(), other]));
  expect(await told()).toEqual([
    [run.id, 'waiting', 'channel'],
    [run.id, 'waiting', 'channel'],
  ]);
});

test('a run within another one tells of its approvals only', async () => {
  const { hears, told, launch, decide, read, ...f } = await start();
  await hears([...alertEvents]);
  const inner = await f.add([approval()]);
  const outer = await f.add([{ type: 'workflow', key: 'in', name: 'in', workflow_id: inner.id }]);
  const run = await launch(outer);
  const child = (await read(run)).nodes[0]?.run_id ?? 0;
  await decide({ id: child }, false);
  expect(await told()).toEqual([
    [child, 'waiting', 'channel'],
    [run.id, 'failed', 'channel'],
  ]);
  // The failure of the inner run is none of the workflow by itself.
  const alone = await launch(inner);
  await decide(alone, true);
  expect((await told()).at(-1)).toEqual([alone.id, 'succeeded', 'channel']);
});

test('mail goes to members with alerts: failures to all, approvals to those who may decide', async () => {
  const config = alertConfig({ smtpUrl: 'smtp://127.0.0.1:9' });
  const { app, params, launch, decide, ofRuns, ...f } = await start(config);
  const { projectId } = f.seed;
  const names = new Map<number, string>();
  for (const role of ['owner', 'manager', 'task_runner'] as const) {
    await app.member(projectId, role);
    const [own] = (await app.admin.call(members.list, { params })).filter(
      (one) => one.role === role && one.username !== 'admin' && !names.has(one.id),
    );
    names.set(own?.id ?? 0, role);
  }
  await app.ctx.db.updateTable('users').set({ alert: 1 }).execute();
  await app.ctx.db.updateTable('projects').set({ alert: 1 }).execute();
  const [manager] = [...names].find(([, role]) => role === 'manager') ?? [0];
  const flow = await f.add([approval({ user_ids: [manager], not_launcher: true })]);
  const run = await launch(flow);
  const mailed = async () =>
    (await ofRuns()).map((one) => `${one.event} ${names.get(one.user_id ?? 0) ?? 'launcher'}`);
  expect((await mailed()).toSorted()).toEqual(['waiting manager', 'waiting owner']);
  await app.ctx.db.updateTable('users').set({ alert: 0 }).where('id', '=', manager).execute();
  await app.admin.call(workflowRuns.stop, { params: { ...params, run_id: run.id }, body: {} });
  const open = await f.add([approval()]);
  const second = await launch(open);
  await decide(second, false);
  expect((await mailed()).slice(2).toSorted()).toEqual([
    'failed launcher',
    'failed owner',
    'failed task_runner',
    'waiting launcher',
    'waiting owner',
  ]);
});

test('what is rolled back raises no alert, and the same end none twice', async () => {
  const { app, hears, launch, taskOf, ofRuns, ...f } = await start();
  await hears([...alertEvents]);
  const flow = await f.add([await f.node('build'), approval()], 'build>ask');
  const run = await launch(flow);
  const task = await taskOf(run, 'build');
  await moveTask(app.ctx, task, 'starting');
  await moveTask(app.ctx, task, 'running');
  const broken = inTransaction(app.ctx, async (inner) => {
    await endTask(inner, task, 'error');
    throw new Error('the server ends here');
  });
  await expect(broken).rejects.toThrow('the server ends here');
  expect(await ofRuns()).toEqual([]);
  await Promise.all([endTask(app.ctx, task, 'error'), endTask(app.ctx, task, 'error')]);
  expect((await ofRuns()).map(({ event }) => event)).toEqual(['failed']);
});

test('an alert about a run that did not arrive is sent again, and the event names the run', async () => {
  const { app, params, hears, launch, decide, ofRuns, ...f } = await start();
  await hears(['succeeded']);
  const run = await launch(await f.add([approval()], '', 'Release'));
  await decide(run, true);
  await app.ctx.db
    .updateTable('alert_deliveries')
    .set({ status: 'failed', next_try: null })
    .execute();
  const [alert] = await ofRuns();
  await app.admin.call(alertDeliveries.retry, {
    params: { ...params, alert_delivery_id: alert?.id ?? 0 },
  });
  const events = app.ctx.db.selectFrom('events').select(['code', 'object_type', 'object_id']);
  const [newest] = await events.orderBy('id', 'desc').limit(1).execute();
  const code = 'workflow_run.alert_retried';
  expect(newest).toEqual({ code, object_type: 'workflow_run', object_id: run.id });
});

test('alerts of runs arrive once at a webhook and by mail, with two servers on one database', async () => {
  const receiver = await startReceiver();
  const mail = await startMailServer();
  const config = alertConfig({ smtpUrl: `smtp://127.0.0.1:${mail.port}` });
  const { app, params, hears, launch, decide, ...f } = await start(config);
  await hears(['waiting', 'failed'], { address: receiver.url });
  await app.ctx.db.updateTable('users').set({ alert: 1 }).execute();
  await app.ctx.db.updateTable('projects').set({ alert: 1 }).execute();
  const other = new Sender(app.ctx);
  other.loop.start();
  const run = await launch(await f.add([approval()], '', 'Release'));
  await decide(run, false);
  await untilTried(app.admin, params.project_id, { alerts: 4 });
  await other.close();
  const waiting = `Run #${run.id} of workflow "Release" waits for the approval of "Deploy to production"`;
  const failed = `Run #${run.id} of workflow "Release" failed`;
  const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { title: string });
  expect(bodies.map(({ title }) => title).toSorted()).toEqual([failed, waiting]);
  expect(bodies[0]).toMatchObject({
    task: null,
    workflow_run: { id: run.id, workflow: { name: 'Release' } },
    link: `https://signalbox.example/project/${params.project_id}/workflow_runs/${run.id}`,
  });
  expect(mail.mails.map(({ subject }) => subject).toSorted()).toEqual([failed, waiting]);
});
