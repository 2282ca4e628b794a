// Release on PostgreSQL: it is about websockets; the hub events between servers have tests of their own.

import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import type { ClientMessage } from '#shared/api/live.ts';
import { testApp } from '../../../test/helpers/app.ts';
import { makeGate } from '../../../test/helpers/gate.ts';
import { connect, linesOf } from '../../../test/helpers/live.ts';
import { seedProject } from '../../../test/helpers/seed.ts';
import { launch } from '../../../test/helpers/tasks.ts';
import { shortPartial } from './partials.ts';

test('shows a line before its end, without what could be the beginning of a secret', async () => {
  const gate = await makeGate();
  const app = await testApp({ runner: true });
  const address = await app.listen();
  const script = `echo begun; printf 'Token? canary-'; ${gate.wait}; echo 4711 end\n`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const template = await seed.template();
  await app.admin.call(environments.update, {
    params: { project_id: seed.projectId, environment_id: seed.environmentId },
    body: {
      name: 'With a secret',
      json: '{}',
      secrets: [{ type: 'var', name: 'TOKEN', secret: 'canary-4711', operation: 'create' }],
    },
  });
  const plain = await connect(address, { cookie: app.admin.cookie });
  const client = await connect(address, { cookie: app.admin.cookie });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const { project_id, id: task_id } = task;
  const follow: ClientMessage = {
    type: 'subscribe',
    topic: 'task_log',
    project_id,
    task_id,
    after: 0,
  };
  client.send(follow);
  const shown = await client.untilMessage('partial');
  expect(shown.output).toBe('Token? ');
  // Who comes later sees it too.
  const late = await connect(address, { cookie: app.admin.cookie });
  late.send(follow);
  expect(await late.untilMessage('partial')).toEqual(shown);
  await gate.open();
  const end = await client.untilMessage('log_end');
  const lines = linesOf(client.messages);
  expect(lines[shown.after]?.output).toBe('Token? ******** end');
  expect(end.total).toBe(lines.length);
  expect(JSON.stringify([...client.messages, ...late.messages])).not.toContain('canary');
  expect(plain.messages.some(({ type }) => type === 'partial')).toBe(false);
});

test('a line is cut to what a event to other servers can hold', () => {
  expect(shortPartial('\u001b'.repeat(2000))).toBe('\u001b'.repeat(500));
  expect(shortPartial('x'.repeat(2000))).toHaveLength(2000);
});
