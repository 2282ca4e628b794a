// Release on PostgreSQL: it is about what the runner tells.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { system } from '#shared/api/system.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { folder } from '../../../../test/helpers/seed.ts';
import { until } from '../../../../test/helpers/until.ts';

test('the version of Ansible is asked for once, not by each question about the server', async () => {
  const path = await folder();
  const asked = join(path, 'asked');
  const script = `#!/bin/sh\necho "$*" >> '${asked}'\necho 'ansible [core 1.2.3]'\n`;
  await writeFile(join(path, 'ansible'), script);
  await chmod(join(path, 'ansible'), 0o755);
  const app = await testApp();
  app.ctx.config.path = `${path}:${app.ctx.config.path}`;
  await app.app.runner.start();
  const read = async () => (await app.admin.call(system.info, {})).ansible;
  expect(await until(async () => (await read()) === 'ansible [core 1.2.3]')).toBe(true);
  for (let count = 0; count < 20; count += 1) await read();
  expect(await readFile(asked, 'utf8')).toBe('--version\n');
});
