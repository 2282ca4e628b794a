// The keys of ssh hosts: pinned at first sight, refused when they change, forgotten on demand.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostKeys } from '#shared/api/host-keys.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import type { Task } from '#shared/api/tasks.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { gitRepository, seedProject } from './helpers/seed.ts';
import { startSshServer } from './helpers/sshd.ts';
import { launch, logText, untilFinished } from './helpers/tasks.ts';

async function overSsh(app: TestApp) {
  const server = await startSshServer();
  const seed = await seedProject(app.admin);
  const params = { project_id: seed.projectId };
  const ssh = { login: server.user, private_key: await server.allowKey('ed25519') };
  const key = await app.admin.call(keys.create, {
    params,
    body: { name: 'Git', type: 'ssh', ssh },
  });
  const git_url = `ssh://127.0.0.1:${server.port}${await gitRepository({ 'play.yml': 'echo hello\n' })}`;
  const repository = await app.admin.call(repositories.create, {
    params,
    body: { name: 'Remote', git_url, git_branch: 'main', ssh_key_id: key.id },
  });
  const template = await seed.template({ repository_id: repository.id });
  const run = async (): Promise<[status: Task['status'], log: string]> => {
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const { status } = await untilFinished(app.admin, task);
    return [status, await logText(app.admin, task)];
  };
  return { server, seed, params, keyId: key.id, run };
}

test.each(['ed25519', 'rsa'] as const)(
  'a host that comes back with another key, of the type %s, is refused until its key is forgotten',
  async (type) => {
    const app = await testApp({ runner: true });
    const { server, params, run } = await overSsh(app);
    expect(await app.admin.call(hostKeys.list, { params })).toEqual([]);
    expect(await run()).toEqual(['success', expect.stringContaining('hello')]);
    const [pinned] = await app.admin.call(hostKeys.list, { params });
    expect(pinned).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      host: `[127.0.0.1]:${server.port}`,
      type: 'ssh-ed25519',
      fingerprint: await server.fingerprint(),
    });
    await server.changeHostKey(type);
    const [status, log] = await run();
    expect([status, log]).toEqual(['error', expect.stringContaining('forget the pinned key')]);
    expect(await app.admin.call(hostKeys.list, { params })).toEqual([pinned]);
    const one = { params: { ...params, host_key_id: pinned?.id ?? '' } };
    const guest = await app.member(params.project_id, 'guest');
    expect(await guest.call(hostKeys.list, { params })).toEqual([pinned]);
    expect((await guest.ask(hostKeys.remove, one)).status).toBe(403);
    await app.admin.call(hostKeys.remove, one);
    expect(await run()).toEqual(['success', expect.stringContaining('hello')]);
    const [next] = await app.admin.call(hostKeys.list, { params });
    expect(next?.fingerprint).toBe(await server.fingerprint());
    const gone = await app.admin.ask(hostKeys.remove, one);
    expect([gone.status, gone.body.code]).toEqual([404, 'host_key.not_found']);
  },
);

test('Ansible, too, refuses a host with another key and says where to forget it', async () => {
  const app = await testApp({ runner: true, config: { path: String(process.env['PATH']) } });
  const { server, seed, params, keyId } = await overSsh(app);
  const inventory = await app.admin.call(inventories.create, {
    params,
    body: {
      name: 'Remote',
      type: 'static',
      inventory: `127.0.0.1 ansible_port=${server.port}\n`,
      ssh_key_id: keyId,
    },
  });
  const play =
    '- hosts: all\n  gather_facts: false\n  tasks: [{ ansible.builtin.raw: echo hello }]\n';
  const local = await app.admin.call(repositories.create, {
    params,
    body: { name: 'Local', git_url: await gitRepository({ 'play.yml': play }), ssh_key_id: keyId },
  });
  const fields = { inventory_id: inventory.id, repository_id: local.id };
  const { id } = await seed.template(fields);
  const run = async (): Promise<[status: Task['status'], log: string]> => {
    const task = await launch(app.admin, seed.projectId, { template_id: id });
    const { status } = await untilFinished(app.admin, task);
    return [status, await logText(app.admin, task)];
  };
  expect(await run()).toEqual(['success', expect.stringContaining('unreachable=0')]);
  const pins = join(app.ctx.config.dataDir, 'known-hosts', String(params.project_id));
  expect(await readFile(pins, 'utf8')).toContain(`[127.0.0.1]:${server.port}`);
  await server.changeHostKey();
  const [status, log] = await run();
  expect([status, log]).toEqual(['error', expect.stringContaining('forget the pinned key')]);
  expect(log).toContain('Host key verification failed');
  await app.admin.call(hostKeys.removeAll, { params });
  expect(await app.admin.call(hostKeys.list, { params })).toEqual([]);
  expect(await run()).toEqual(['success', expect.stringContaining('unreachable=0')]);
});

test('forgetting one key leaves all other lines of the file as they are', async () => {
  const app = await testApp({ runner: true });
  const { params, run } = await overSsh(app);
  await run();
  const path = join(app.ctx.config.dataDir, 'known-hosts', String(params.project_id));
  const own = await readFile(path, 'utf8');
  const others =
    '# a remark\n@cert-authority *.example.com ssh-ed25519 AAAA\nexample.com ssh-rsa AAAA\n';
  await writeFile(path, others + own);
  const list = await app.admin.call(hostKeys.list, { params });
  expect(list.map(({ host }) => host)).toEqual(['example.com', own.split(' ')[0]]);
  const host_key_id = list[1]?.id ?? '';
  await app.admin.call(hostKeys.remove, { params: { ...params, host_key_id } });
  expect(await readFile(path, 'utf8')).toBe(others);
  // A host of which nothing is pinned is not bound by what is pinned of others.
  expect((await run())[0]).toBe('success');
});
