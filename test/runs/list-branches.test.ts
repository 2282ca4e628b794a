import { createServer, type Server } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { events } from '#shared/api/events.ts';
import { repositories } from '#shared/api/repositories.ts';
import { testApp } from '../helpers/app.ts';
import { folder, git, gitRepository, seedProject } from '../helpers/seed.ts';
import { listBranches } from '../../src/server/runner-api/user-inspections.ts';

test('lists the branches of a repository that is not saved, and records the look', async () => {
  const app = await testApp();
  const { projectId, keyId } = await seedProject(app.admin, null);
  const path = await gitRepository({ 'play.yml': 'echo hello\n' });
  await git(path, 'branch', 'release/1');
  const params = { project_id: projectId };
  for (const git_url of [path, `file://${path}`]) {
    const body = { git_url, ssh_key_id: keyId };
    expect(await app.admin.call(repositories.branches, { params, body })).toEqual({
      branches: ['main', 'release/1'],
      head: 'main',
      failure: null,
    });
  }
  const { body } = await app.admin.ask(events.ofProject, { params });
  expect(body[0]).toMatchObject({
    code: 'repository.tried',
    object_name: `file://${path}`,
    params: { key: 'Nothing' },
  });
  const plain = await folder();
  await writeFile(join(plain, 'play.yml'), 'echo plain\n');
  const asked = { params, body: { git_url: plain, ssh_key_id: keyId } };
  expect(await app.admin.call(repositories.branches, asked)).toEqual({
    branches: [],
    head: null,
    failure: null,
  });
});

test('says why a repository cannot be reached', async () => {
  const allowed = await folder();
  const app = await testApp({ config: { localRepositories: [allowed] } });
  const { projectId, keyId } = await seedProject(app.admin, null);
  const params = { project_id: projectId };
  const ask = (git_url: string, ssh_key_id = keyId) =>
    app.admin.ask(repositories.branches, { params, body: { git_url, ssh_key_id } });
  const missing = await ask(join(allowed, 'nothing'));
  expect(missing.body.failure).toContain('does not exist on the server');
  const empty = join(allowed, 'empty');
  await mkdir(empty);
  await git(empty, 'init', '--quiet');
  expect((await ask(empty)).body).toEqual({ branches: [], head: null, failure: null });
  const refused = await ask('https://127.0.0.1:1/code.git');
  expect(refused.body.failure).toContain('127.0.0.1');

  const { projectId: elsewhere } = await seedProject(app.admin, null);
  const foreign = await app.admin.call(keys.list, { params: { project_id: elsewhere } });
  for (const [url, key, path] of [
    ['/etc', keyId, 'git_url'],
    ['--upload-pack=touch x', keyId, 'git_url'],
    ['https://a:b@example.com/c.git', keyId, 'git_url'],
    [empty, foreign[0]?.id, 'ssh_key_id'],
  ] as const) {
    const answer = await ask(url, key);
    expect([answer.status, answer.body.fields?.[0]?.path]).toEqual([400, path]);
  }
});

/** Accepts connections and says nothing. */
async function silentServer(): Promise<number> {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

test('does not wait for a server that says nothing', async () => {
  const app = await testApp();
  const { projectId, keyId } = await seedProject(app.admin, null);
  const git_url = `git://127.0.0.1:${await silentServer()}/code.git`;
  const access = { projectId, git_url, ssh_key_id: keyId };
  const look = listBranches(app.ctx, app.app.runner.inspections, access, 500);
  await expect(look).rejects.toMatchObject({ code: 'request.too_slow' });
});
