import { expect, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { testApp } from '../helpers/app.ts';
import { git, gitRepository, seedProject } from '../helpers/seed.ts';

test('lists the playbooks of a stored repository, of its branch or of another', async () => {
  const app = await testApp();
  const { projectId, keyId } = await seedProject(app.admin, null);
  const path = await gitRepository({ 'site.yml': '- hosts: all\n', 'run.sh': 'echo\n' });
  await git(path, 'branch', 'release');
  const body = { name: 'Listed', git_url: `file://${path}`, git_branch: 'main', ssh_key_id: keyId };
  const { id } = await app.admin.call(repositories.create, {
    params: { project_id: projectId },
    body,
  });
  const params = { project_id: projectId, repository_id: id };
  const ansible = { playbooks: ['site.yml'], others: ['run.sh'], complete: true };
  expect(await app.admin.call(repositories.files, { params, query: {} })).toEqual(ansible);
  const query = { branch: 'release', app: 'bash' };
  expect(await app.admin.call(repositories.files, { params, query })).toEqual({
    playbooks: ['run.sh'],
    others: ['site.yml'],
    complete: true,
  });
  const gone = await app.admin.ask(repositories.files, { params, query: { branch: 'gone' } });
  expect([gone.status, gone.body]).toMatchObject([422, { code: 'repository.unreachable' }]);
  const odd = await app.admin.ask(repositories.files, { params, query: { branch: '--all' } });
  expect([odd.status, odd.body]).toMatchObject([400, { code: 'request.invalid' }]);
});
