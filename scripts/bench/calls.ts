// How many requests a second lists answer, beside a bare HTTP server that answers the same bytes.

import { Agent, get } from 'node:http';
import { Worker } from 'node:worker_threads';
import {
  addProject,
  addTemplates,
  install,
  type Installation,
  launch,
  untilAllEnded,
} from './installation.ts';
import { inTurn, type Row } from './rows.ts';

const templates = 100;
const tasks = 200;
const projects = 20;
const clients = 10;
const secondsEach = 3;
const rounds = 3;

export async function measureCalls(): Promise<Row[]> {
  const installation = await install();
  try {
    const path = await fill(installation);
    return [
      await compare(installation, `${path}/templates`, `${templates} templates`),
      await compare(installation, `${path}/tasks/last?limit=${tasks}`, `${tasks} tasks`),
      await compare(installation, '/api/projects', `${projects} projects`),
    ];
  } finally {
    await installation.end();
  }
}

async function fill(installation: Installation): Promise<string> {
  const { call } = installation;
  const project = await addProject(installation, { 'end.sh': ':\n' });
  const { path } = project;
  await addTemplates(call, project, 'end.sh', templates);
  for (let number = 2; number <= projects; number += 1) {
    await call('POST', '/api/projects', { name: `Project ${number}` });
  }
  for (let number = 1; number <= tasks; number += 1) await launch(call, project, 'end.sh');
  await untilAllEnded(call, project, tasks);
  return path;
}

async function compare(installation: Installation, path: string, what: string): Promise<Row> {
  const { server, cookie } = installation;
  const address = `${server.address}${path}`;
  const bytes = await (await fetch(address, { headers: { cookie } })).text();
  const bare = await startBare(bytes);
  await rateOf(address, cookie, 1);
  const rate = (of: string) => (): Promise<number> => rateOf(of, cookie, secondsEach);
  const { ours, theirs } = await inTurn(rounds, rate(address), rate(bare.address));
  await bare.end();
  return {
    what: `The list of ${what}, signed in`,
    unit: 'a second',
    ours,
    baseline: { name: 'a bare server with the same bytes', values: theirs },
    target: { ratioAtLeast: 1 / 3 },
  };
}

/** A server in a thread of its own, as Signalbox is a process of its own. */
async function startBare(bytes: string): Promise<{ address: string; end: () => Promise<number> }> {
  const script = `
    const { createServer } = require('node:http');
    const { parentPort, workerData } = require('node:worker_threads');
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const server = createServer((_request, response) => response.writeHead(200, headers).end(workerData));
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(script, { eval: true, workerData: bytes });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return { address: `http://127.0.0.1:${port}/`, end: () => worker.terminate() };
}

/** The requests that are answered in a second, with as many on their way as there are clients. */
async function rateOf(address: string, cookie: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const until = performance.now() + seconds * 1000;
  let answered = 0;
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      get(address, { agent, headers: { cookie } }, (answer) => {
        if (answer.statusCode !== 200)
          reject(new Error(`${address} answered ${answer.statusCode}`));
        answer.resume().once('end', () => {
          answered += 1;
          resolve();
        });
      }).once('error', reject);
    });
  const work = async (): Promise<void> => {
    while (performance.now() < until) await ask();
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: clients }, work));
  agent.destroy();
  return (answered / (performance.now() - begun)) * 1000;
}
