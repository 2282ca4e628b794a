// Only on SQLite: the keys of hosts are kept in a file.
// What people see of the pinned keys of ssh hosts, and who may forget them.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { hostKeys } from '#shared/api/host-keys.ts';
import { knownHostsPath } from '../src/node/data-folder/known-hosts.ts';
import { testApp } from './helpers/app.ts';
import { seedProject } from './helpers/seed.ts';

test('pinned keys are listed for everybody in the project, and forgotten by who may', async () => {
  const app = await testApp();
  const { projectId } = await seedProject(app.admin, null);
  const params = { project_id: projectId };
  expect(await app.admin.call(hostKeys.list, { params })).toEqual([]);
  // As ssh of a task has pinned them.
  const path = knownHostsPath(app.ctx.config, projectId);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, ['one', 'two', 'three'].map((host) => `${host} ssh-rsa AAAA\n`).join(''));
  const guest = await app.member(projectId, 'guest');
  const pinned = await guest.call(hostKeys.list, { params });
  expect(pinned.map(({ host, type }) => `${host} ${type}`).toSorted()).toEqual([
    'one ssh-rsa',
    'three ssh-rsa',
    'two ssh-rsa',
  ]);
  const one = { params: { ...params, host_key_id: pinned[0]?.id ?? '' } };
  expect((await guest.ask(hostKeys.remove, one)).status).toBe(403);
  await app.admin.call(hostKeys.remove, one);
  expect(await app.admin.call(hostKeys.list, { params })).toEqual(pinned.slice(1));
  const gone = await app.admin.ask(hostKeys.remove, one);
  expect([gone.status, gone.body.code]).toEqual([404, 'host_key.not_found']);
  await app.admin.call(hostKeys.removeAll, { params });
  expect(await app.admin.call(hostKeys.list, { params })).toEqual([]);
});
