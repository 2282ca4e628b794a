// Only on SQLite: it is about files.
// Slow: a server with tasks as users of their own, and all that is prepared for them.
// A server with a strict umask, as in the unit for systemd: the users of its tasks can still read
// what is prepared for them.

import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { remoteCaller } from './helpers/remote-caller.ts';
import { commitFiles, folder, git, gitRepository, seedProject } from './helpers/seed.ts';
import { startServer } from './helpers/server.ts';
import { launch, logText, untilFinished } from './helpers/tasks.ts';
import { makeRunUsers } from './helpers/unix-user.ts';

const playbook = `- hosts: all
  gather_facts: false
  connection: local
  roles: [polite]
`;

/** Lets others read the folder, as in a usual local repository. */
async function readable(path: string): Promise<string> {
  await chmod(path, 0o755);
  return path;
}

async function roleIn(place: string): Promise<string> {
  const role = join(place, 'polite');
  await mkdir(role);
  await git(role, 'init', '--quiet');
  await commitFiles(role, {
    'tasks/main.yml': '- ansible.builtin.debug: { msg: from the role }\n',
    'meta/main.yml': 'galaxy_info: { author: A }\ndependencies: []\n',
  });
  return `roles: [{ name: polite, scm: git, src: "file://${role}", version: main }]\n`;
}

test('with a strict umask, tasks run as users of their own, with what is installed for them', async () => {
  const users = makeRunUsers(3);
  const server = await startServer({
    umask: '077',
    env: {
      SIGNALBOX_RUN_AS: users.map(({ name }) => name).join(','),
      SIGNALBOX_LOCAL_REPOSITORIES: '/',
    },
  });
  onTestFinished(() => server.stop());
  const admin = await remoteCaller(server.address, 'admin', server.password);
  const seed = await seedProject(admin, null);
  const code = await gitRepository({
    'run.sh': 'umask; cat run.sh >copy && echo "I am $(id -u)"\n',
    'main.py': 'print("hello")\n',
    'requirements.txt': '# none\n',
    'requirements.yml': await roleIn(await readable(await folder())),
    'play.yml': playbook,
  });
  const { id } = await admin.call(repositories.create, {
    params: { project_id: seed.projectId },
    body: {
      name: 'Its code',
      git_url: await readable(code),
      git_branch: 'main',
      ssh_key_id: seed.keyId,
    },
  });
  const run = async (fields: Parameters<typeof seed.template>[0]): Promise<string> => {
    const template = await seed.template({ repository_id: id, ...fields });
    const task = await launch(admin, seed.projectId, { template_id: template.id });
    const { status } = await untilFinished(admin, task, 180);
    const log = await logText(admin, task);
    expect([status, log]).toEqual(['success', log]);
    return log;
  };
  expect(await run({ app: 'bash', playbook: 'run.sh' })).toMatch(/0022\nI am \d+/);
  for (const _ of ['installed', 'used again']) {
    expect(await run({ app: 'python', playbook: 'main.py' })).toContain('hello');
    expect(await run({ playbook: 'play.yml' })).toContain('from the role');
  }
});
