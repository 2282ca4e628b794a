// Slow: whole servers are started, killed and started again.
// When a server is killed while it sends an alert, the next server sends the alert again, with the
// same id.

import { expect, onTestFinished, test } from 'vitest';
import { addChannel, untilTried } from './helpers/alerts.ts';
import { startReceiver } from './helpers/receiver.ts';
import { remoteCaller } from './helpers/remote-caller.ts';
import { gitRepository, seedProject } from './helpers/seed.ts';
import { startServer } from './helpers/server.ts';
import { launch } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';
import { repositories } from '#shared/api/repositories.ts';

test('an alert that was being sent when the server was killed still arrives', async () => {
  const env = { SIGNALBOX_LOCAL_REPOSITORIES: '/', SIGNALBOX_ALERT_ADDRESSES: '127.0.0.1' };
  const receiver = await startReceiver();
  receiver.answer(() => undefined);
  const first = await startServer({ env });
  onTestFinished(first.stop);
  const owner = await remoteCaller(first.address, 'admin', first.password);
  const seed = await seedProject(owner, null);
  const { id: code } = await owner.call(repositories.create, {
    params: { project_id: seed.projectId },
    body: {
      name: 'Scripts',
      git_url: await gitRepository({ 'run.sh': 'exit 1\n' }),
      git_branch: 'main',
      ssh_key_id: seed.keyId,
    },
  });
  const template = await seed.template({ app: 'bash', playbook: 'run.sh', repository_id: code });
  await addChannel(owner, seed.projectId, { address: receiver.url });
  await launch(owner, seed.projectId, { template_id: template.id });
  await until(() => receiver.received.length === 1);
  await first.end('SIGKILL');

  receiver.answer((response) => response.end());
  const second = await startServer({ env, dataDir: first.dataDir });
  onTestFinished(second.stop);
  const again = await remoteCaller(second.address, 'admin', second.password);
  const [sent] = await untilTried(again, seed.projectId, { attempts: 2 });
  expect(sent).toMatchObject({ status: 'sent', attempts: 2 });
  const ids = receiver.received.map(({ headers }) => headers['x-signalbox-delivery']);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
}, 120_000);
