// The error message of a program may contain the secret that the program was given.

import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { findCanaries, newCanary, place } from '../helpers/canaries.ts';
import { remoteCaller } from '../helpers/remote-caller.ts';
import { seedProject } from '../helpers/seed.ts';
import { serverPassword, startServer } from '../helpers/server.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';

/** A git server that answers with the password that it was given. */
async function startGossip(): Promise<string> {
  const server = createServer((request, response) => {
    const given = request.headers.authorization?.replace('Basic ', '');
    if (!given) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const text = Buffer.from(given, 'base64').toString();
    response.writeHead(403, { 'content-type': 'text/plain' }).end(`No ${text} here, nor ${given}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/code.git`;
}

test('a password that a git server repeats is neither in the log of the task nor of the server', async () => {
  const server = await startServer({
    env: { SIGNALBOX_LOG_LEVEL: 'debug', SIGNALBOX_HTTP_REPOSITORIES: 'on' },
  });
  onTestFinished(server.stop);
  const owner = await remoteCaller(server.address, 'admin', serverPassword);
  const seed = await seedProject(owner, null);
  const params = { project_id: seed.projectId };
  const password = newCanary();
  const key = await owner.call(keys.create, {
    params,
    body: { name: 'K', type: 'login_password', login_password: { login: 'robot', password } },
  });
  const repository = await owner.call(repositories.create, {
    params,
    body: { name: 'R', git_url: await startGossip(), git_branch: 'main', ssh_key_id: key.id },
  });
  const template = await seed.template({ repository_id: repository.id });
  const task = await launch(owner, seed.projectId, { template_id: template.id });
  const ended = await untilFinished(owner, task);
  const log = await logText(owner, task);
  expect(ended.status).toBe('error');
  // The log says that git failed, but not what the other server has answered.
  expect(log).toContain('403');
  expect(log).not.toMatch(/No robot|here, nor/);
  const printed = server.printed();
  expect(printed).toContain('task failed before its end');
  expect(printed).toContain('403');
  expect(printed).not.toMatch(/No robot|here, nor/);
  const places = [place('log', log), place('server', printed), place('task', ended)];
  expect(findCanaries({ password }, places)).toEqual([]);
});
