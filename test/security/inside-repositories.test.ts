// Repositories may be on servers of the internal network. A person who names an address may learn
// whether something answers there, but nothing of what it says.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { type TestApp } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { type Seed } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';

const canary = 'canary-of-the-metadata-service';

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

const told = { 'content-type': 'text/plain', 'x-secret': canary };
const plain =
  (status: number, headers: Record<string, string> = told): Responder =>
  (_request, response) =>
    void response.writeHead(status, headers).end(canary);

/** Answers of an internal service that is no git server. */
const answers: [name: string, answer: Responder][] = [
  ['200', plain(200)],
  ['401', plain(401, { ...told, 'www-authenticate': `Basic realm="${canary}"` })],
  ['403', plain(403)],
  ['404', plain(404)],
  ['500', plain(500)],
  [
    'the type of git',
    plain(200, { 'content-type': 'application/x-git-upload-pack-advertisement' }),
  ],
];

async function lookAt(app: TestApp, { projectId, keyId }: Seed, git_url: string): Promise<string> {
  const params = { project_id: projectId };
  const body = { git_url, ssh_key_id: keyId };
  const { branches, failure } = await app.admin.call(repositories.branches, { params, body });
  expect([git_url, branches]).toEqual([git_url, []]);
  return failure ?? '';
}

async function logOf(app: TestApp, seed: Seed, git_url: string): Promise<string> {
  const repository = await app.admin.call(repositories.create, {
    params: { project_id: seed.projectId },
    body: { name: git_url, git_url, git_branch: 'main', ssh_key_id: seed.keyId },
  });
  const template = await seed.template({ repository_id: repository.id });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  return logText(app.admin, task);
}

test('gate 6: what a service inside answers to git is told neither in a look nor in a log', async () => {
  const { app, seed } = await appWithProject(null, {
    runner: true,
    config: { httpRepositories: true },
  });
  let asked = 0;
  for (const [name, answer] of answers) {
    const port = await listening(
      createServer((request, response) => {
        asked += 1;
        answer(request, response);
      }),
    );
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `http://${host}:${port}/latest/meta-data.git`;
      const failure = await lookAt(app, seed, url);
      // An empty list of refs, which any web server may have as a plain file, is a valid answer.
      const isTold = failure !== '' || name === '200';
      expect([name, failure.includes(canary), isTold]).toEqual([name, false, true]);
    }
    const log = await logOf(app, seed, `http://127.0.0.1:${port}/code.git`);
    expect([name, log.includes(canary)]).toEqual([name, false]);
  }
  expect(asked).toBeGreaterThanOrEqual(answers.length * 3);
});

test('gate 6: a service inside that is sent on to tells nothing either, and gets no password', async () => {
  const { app, seed } = await appWithProject(null, { config: { httpRepositories: true } });
  const seen: string[] = [];
  const inner = await listening(
    createServer(({ headers }, response) => {
      seen.push(headers.authorization ?? 'no password');
      plain(200)(undefined as never, response);
    }),
  );
  const location = `http://127.0.0.1:${inner}/latest/info/refs?service=git-upload-pack`;
  const outer = await listening(createServer(plain(302, { location })));
  expect(await lookAt(app, seed, `http://127.0.0.1:${outer}/code.git`)).not.toContain(canary);
  expect(seen.every((password) => password === 'no password')).toBe(true);
});

test('gate 6: of a service that speaks no http no more than the first bytes are told', async () => {
  const { app, seed } = await appWithProject(null, { config: { httpRepositories: true } });
  const port = await listening(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`-ERR ${canary}\r\n`);
    }),
  );
  for (const scheme of ['git', 'http', 'ssh']) {
    const failure = await lookAt(app, seed, `${scheme}://127.0.0.1:${port}/code.git`);
    expect([scheme, failure.includes(canary), failure !== '']).toEqual([scheme, false, true]);
  }
});
