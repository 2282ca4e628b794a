// Slow: servers are started beside each other and wait for each other.
// A data folder belongs to one server at a time.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scriptProject } from './helpers/cluster.ts';
import { runCommand, runInside } from './helpers/command.ts';
import { remoteCaller } from './helpers/remote-caller.ts';
import { folder } from './helpers/seed.ts';
import { settingsOf, startServer, type TestServer } from './helpers/server.ts';
import { launch, logText, untilFinished } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';

async function started(dataDir: string): Promise<TestServer> {
  const server = await startServer({ dataDir, env: { SIGNALBOX_LOCAL_REPOSITORIES: '/' } });
  onTestFinished(() => server.stop());
  return server;
}

test('a second server on the data folder of another is refused, and commands are not', async () => {
  const server = await started(await folder());
  const settings = { ...(await settingsOf(server.dataDir)), SIGNALBOX_PORT: '0' };
  expect(await runCommand(['server'], settings)).toEqual({
    code: 1,
    out: '',
    error: `Another server works on the data folder ${server.dataDir}. Stop it first, or give this one a folder of its own: SIGNALBOX_DATA_DIR.\n`,
  });
  expect(await runInside(['user', 'list'], settings)).toMatchObject({ code: 0, out: 'admin\n' });
  expect(await runInside(['keys', 'rotate'], settings)).toMatchObject({ code: 0 });
  expect((await fetch(`${server.address}/api/ping`)).status).toBe(200);
});

test('a remote runner is refused the data folder of another server as well', async () => {
  const server = await started(await folder());
  const env = { SIGNALBOX_DATA_DIR: server.dataDir, SIGNALBOX_SERVER_URL: server.address };
  expect((await runInside(['server'], env)).error).toMatch(/^Another server works on/);
});

test('after kill -9 the next server starts at once, while what the first one ran goes on', async () => {
  const dataDir = await folder();
  const gate = join(await folder(), 'gate');
  const first = await started(dataDir);
  const admin = await remoteCaller(first.address, 'admin', first.password);
  const seed = await scriptProject(
    admin,
    `echo begun\nuntil [ -e ${gate} ]; do sleep 0.05; done\necho fine\n`,
  );
  const { id } = await seed.template({ name: 'Waits' });
  const task = await launch(admin, seed.projectId, { template_id: id });
  await until(async () => (await logText(admin, task)).includes('begun'));
  await first.end('SIGKILL');
  const second = await started(dataDir);
  await writeFile(gate, '');
  const again = await remoteCaller(second.address, 'admin', second.password);
  expect((await untilFinished(again, task)).status).toBe('success');
  expect(await logText(again, task)).toMatch(/begun\n(?:.*\n)*fine/);
});
