import { describe, expect, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';

const accepted = [
  'ssh://git@example.com/code.git',
  'git@example.com:team/code.git',
  'https://example.com/code.git',
  'git://example.com/code.git',
  'file:///srv/git/code',
  '/srv/git/code',
];

const refused = [
  'ext::sh -c id',
  '--upload-pack=touch /tmp/x',
  '-oProxyCommand=id',
  'ssh://-oProxyCommand=id/x',
  'ftp://example.com/code',
  'http://example.com/code.git',
  'HTTP://example.com/code.git',
  'relative/path',
  'javascript:alert(1)',
  'file:///srv/%',
];

const controls = ['https://example.com/a\nb', '/srv/git/\u0000', '/srv/\u001b[31m', '/srv/a\r'];

async function start(localRepositories = ['/'], httpRepositories = false) {
  const { app, seed, params } = await appWithProject(null, {
    config: { localRepositories, httpRepositories },
  });
  let count = 0;
  const create = (fields: object) => {
    count += 1;
    const body = { name: `Repository ${count}`, git_url: '', git_branch: 'main' };
    return app.admin.ask(repositories.create, {
      params,
      body: { ...body, ssh_key_id: seed.keyId, ...fields },
    });
  };
  const update = (fields: object) =>
    app.admin.ask(repositories.update, {
      params: { ...params, repository_id: seed.repositoryId },
      body: {
        name: 'Code',
        git_url: 'https://example.com/x',
        git_branch: 'main',
        ssh_key_id: seed.keyId,
        ...fields,
      },
    });
  return { app, seed, create, update };
}

test('takes the addresses that git understands and that lead nowhere else', async () => {
  const { create, update } = await start();
  for (const url of accepted) {
    const { status, body } = await create({ git_url: ` ${url} ` });
    expect([url, status, body.git_url]).toEqual([url, 201, url]);
    expect((await update({ git_url: url })).status).toBe(204);
  }
});

test('refuses every other address', async () => {
  const { create, update } = await start();
  for (const url of refused) {
    for (const { status, body } of [
      await create({ git_url: url }),
      await update({ git_url: url }),
    ]) {
      expect([url, status]).toEqual([url, 400]);
      expect(body.fields).toEqual([
        { path: 'git_url', code: 'repository.url_incorrect', message: 'Incorrect URL' },
      ]);
    }
  }
  for (const url of controls) {
    const { status, body } = await create({ git_url: `${url}.` });
    const codes = body.fields?.map(({ code }) => code);
    expect([url, status, codes]).toEqual([
      url,
      400,
      expect.arrayContaining(['field.control_characters']),
    ]);
  }
});

test('takes http where an administrator allows it, and what is there goes on without', async () => {
  const url = 'http://example.com/code.git';
  const { app, seed, create, update } = await start(['/'], true);
  expect((await create({ git_url: url })).status).toBe(201);
  expect((await update({ git_url: url })).status).toBe(204);
  app.ctx.config.httpRepositories = false;
  expect((await update({ git_url: url, git_branch: 'next' })).status).toBe(204);
  const look = (git_url: string) =>
    app.admin.ask(repositories.branches, {
      params: { project_id: seed.projectId },
      body: { git_url, ssh_key_id: seed.keyId },
    });
  expect((await look(url)).status).toBe(200);
  for (const answer of [
    await create({ git_url: url }),
    await update({ git_url: `${url}/other` }),
    await look(`${url}/other`),
  ]) {
    expect(answer.body.fields).toEqual([
      { path: 'git_url', code: 'repository.url_incorrect', message: 'Incorrect URL' },
    ]);
  }
});

test('takes no password in an address, where everybody could read it', async () => {
  const { create, update } = await start();
  const withPassword = [
    'https://me:word@example.com/x',
    'ssh://me:@example.com/x',
    'https://:w@h/x',
  ];
  for (const url of withPassword) {
    for (const answer of [await create({ git_url: url }), await update({ git_url: url })]) {
      const [field] = answer.body.fields ?? [];
      expect([url, answer.status, field?.path]).toEqual([url, 400, 'git_url']);
      expect(field?.code).toBe('repository.url_password');
    }
  }
  expect((await create({ git_url: 'https://me@example.com:8443/a:b@c' })).status).toBe(201);
});

test('asks for what is missing in the words of the field', async () => {
  const { create } = await start();
  const cases: [fields: object, path: string, message: string][] = [
    [{ git_url: '' }, 'git_url', 'Git URL is required'],
    [{ git_url: undefined }, 'git_url', 'Git URL is required'],
    [{ git_url: accepted[0], git_branch: '' }, 'git_branch', 'Branch is required'],
    [{ git_url: accepted[0], git_branch: undefined }, 'git_branch', 'Branch is required'],
    [{ git_url: accepted[0], ssh_key_id: null }, 'ssh_key_id', 'Key is required'],
    [{ git_url: accepted[0], ssh_key_id: undefined }, 'ssh_key_id', 'Key is required'],
    [{ git_url: accepted[0], name: '' }, 'name', 'Name is required'],
  ];
  for (const [fields, path, message] of cases) {
    const { status, body } = await create(fields);
    expect([fields, status]).toEqual([fields, 400]);
    expect(body.fields).toContainEqual(expect.objectContaining({ path, message }));
  }
  expect((await create({ git_url: '/srv/git', git_branch: '' })).status).toBe(201);
});

test('takes no branch that git would read as an option', async () => {
  const { create } = await start();
  for (const branch of ['-x', '--upload-pack=id', ' -x']) {
    const { status, body } = await create({ git_url: accepted[0], git_branch: branch });
    expect([branch, status]).toEqual([branch, 400]);
    expect(body.fields).toMatchObject([{ path: 'git_branch', code: 'field.leading_dash' }]);
  }
});

describe('a folder of the server', () => {
  test('is taken only inside the folders that the administrator allows', async () => {
    const { create, update } = await start(['/srv/git']);
    for (const url of ['/srv/git', '/srv/git/team/code', 'file:///srv/git/with%20space']) {
      expect([url, (await create({ git_url: url })).status]).toEqual([url, 201]);
    }
    for (const url of [
      '/etc',
      '/srv/gitx',
      '/srv/git/../../etc',
      'file:///etc',
      'file:///srv/git/../../etc',
      'file:///srv/git/%2e%2e/%2e%2e/etc',
      'file:///srv/git/x%2f..%2f..%2f..%2fetc',
    ]) {
      for (const answer of [await create({ git_url: url }), await update({ git_url: url })]) {
        expect([url, answer.status]).toEqual([url, 400]);
        expect(answer.body.fields).toMatchObject([
          { path: 'git_url', code: 'repository.local_not_allowed' },
        ]);
      }
    }
  });

  test('does not show whether it exists', async () => {
    const { create } = await start(['/srv/git']);
    const answers = [await create({ git_url: '/etc' }), await create({ git_url: '/not-there' })];
    const [there, notThere] = answers.map(({ body }) => body.fields);
    expect(there).toEqual(notThere);
  });
});
