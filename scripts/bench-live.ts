// `npm run bench:live [-- LINES]`: measures what open websockets cost. A task prints as fast as it
// can, and one reader follows its log to the end, beside none, 500 and 2,000 sockets: those of
// strangers, who may see nothing of the project, and those of members, whose consoles show
// something else of it. Each time is compared with the time without sockets, in the same run.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { mostConnections, type ClientMessage, type ServerMessage } from '#shared/api/live.ts';
import { signedIn, type ApiCall } from '../test/helpers/api-client.ts';
import { startServer, type TestServer } from '../test/helpers/server.ts';
import { openSocket } from './bench/follow.ts';
import { median } from './bench/rows.ts';
import { addSessions } from './bench/sessions.ts';

const lines = Number(process.argv[2] ?? 300_000);
const counts = [500, 2000];
// How many times as long a log may take beside sockets of strangers.
const target = 1.3;
const rounds = 3;

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const repository = join(folder, 'repository');
const probe = join(folder, 'probe.mjs');
const memory = join(folder, 'memory');

/** The playbook is a shell script here. The probe reports the memory in use. */
function writeFiles(): void {
  const program = join(folder, 'ansible-playbook');
  writeFileSync(program, '#!/bin/sh\nfor playbook in "$@"; do :; done\nexec sh "$playbook"\n');
  chmodSync(program, 0o755);
  writeFileSync(
    probe,
    `import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
process.on('SIGUSR2', () => {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(${JSON.stringify(memory)}, String(heapUsed + external));
});
`,
  );
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
  const print = `exec awk 'BEGIN { for (i = 1; i <= ${lines}; i++) printf "ok: [host-%d] => (item=package-%d)\\n", i % 40, i }'\n`;
  writeFileSync(join(repository, 'print.yml'), print);
  const git = ['-C', repository, '-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  execFileSync('git', [...git, 'add', '--all']);
  execFileSync('git', [...git, 'commit', '--quiet', '--message', 'Add the playbook']);
}

interface Bench {
  server: TestServer;
  call: ApiCall;
  cookie: string;
  projectId: number;
  templateId: number;
  /** Sessions of users, by whether the users are members; each session may have so many sockets. */
  sessions: Record<Kind, string[]>;
}

const kinds = ['strangers', 'members'] as const;
type Kind = (typeof kinds)[number];

async function setUp(server: TestServer): Promise<Bench> {
  const { call, cookies } = await signedIn(server);
  const { id: projectId } = await call<{ id: number }>('POST', '/api/projects', { name: 'Bench' });
  const make = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `/api/project/${projectId}/${noun}`, body)).id;
  const key = await make('keys', { name: 'Nothing', type: 'none' });
  const source = { name: 'Code', git_url: repository, git_branch: 'main', ssh_key_id: key };
  const hosts = { name: 'Hosts', type: 'static', inventory: 'localhost', ssh_key_id: key };
  const { id: templateId } = await call<Template>('POST', `/api/project/${projectId}/templates`, {
    name: 'Print',
    playbook: 'print.yml',
    repository_id: await make('repositories', source),
    inventory_id: await make('inventory', hosts),
    environment_id: await make('environment', { name: 'Nothing' }),
  });
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const sessions = await addUsers(server, projectId);
  return { server, call, cookie, projectId, templateId, sessions };
}

async function addUsers({ dataDir }: TestServer, projectId: number): Promise<Bench['sessions']> {
  const count = Math.max(...counts) / mostConnections;
  return {
    strangers: await addSessions(dataDir, { name: 'strangers', count, projectId: null }),
    members: await addSessions(dataDir, { name: 'members', count, projectId }),
  };
}

async function openSockets(bench: Bench, kind: Kind, count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  const topic = { topic: 'project', project_id: bench.projectId } as const;
  for (const cookie of bench.sessions[kind].slice(0, count / mostConnections)) {
    const opening = Array.from({ length: mostConnections }, () =>
      openSocket(bench.server.address, cookie),
    );
    sockets.push(...(await Promise.all(opening)));
  }
  // Strangers subscribe to nothing; a server that sent hints to every socket would send them to
  // these too.
  for (const socket of kind === 'members' ? sockets : []) {
    socket.send(JSON.stringify({ type: 'subscribe', ...topic } satisfies ClientMessage));
  }
  return sockets;
}

/** The CPU seconds of the server so far. */
function processorTime({ child }: TestServer): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

interface Measure {
  /** Milliseconds from the launch until a reader has the whole log. */
  time: number;
  /** The CPU milliseconds of the server meanwhile. */
  processor: number;
}

async function measureLog(bench: Bench): Promise<Measure> {
  const { server, call, cookie, projectId, templateId } = bench;
  const computed = processorTime(server);
  const reader = await openSocket(server.address, cookie);
  const begun = performance.now();
  const path = `/api/project/${projectId}/tasks`;
  const { id } = await call<Task>('POST', path, { template_id: templateId });
  const topic = { topic: 'task_log', project_id: projectId, task_id: id, after: 0 } as const;
  const ended = new Promise<number>((resolve) => {
    reader.on('message', (data) => {
      const message = JSON.parse(String(data as Buffer)) as ServerMessage;
      if (message.type === 'log_end') resolve(message.total);
    });
  });
  reader.send(JSON.stringify({ type: 'subscribe', ...topic } satisfies ClientMessage));
  if ((await ended) < lines) throw new Error('The log is not whole');
  const time = performance.now() - begun;
  reader.close();
  return { time, processor: (processorTime(server) - computed) * 1000 };
}

/** The bytes of the server's heap after a garbage collection. */
async function memoryOf({ server }: Bench): Promise<number> {
  rmSync(memory, { force: true });
  server.child.kill('SIGUSR2');
  for (;;) {
    await delay(50);
    try {
      const bytes = Number(readFileSync(memory, 'utf8'));
      if (bytes > 0) return bytes;
    } catch {
      // The file is not written yet.
    }
  }
}

/** The bytes of the server's heap when all pending work has ended. */
async function settledMemory(bench: Bench): Promise<number> {
  const seen: number[] = [];
  for (let look = 0; look < 4; look += 1) {
    await delay(500);
    seen.push(await memoryOf(bench));
  }
  return Math.min(...seen);
}

async function measureMemory(bench: Bench, kind: Kind, count: number): Promise<void> {
  const before = await settledMemory(bench);
  const sockets = await openSockets(bench, kind, count);
  const each = ((await settledMemory(bench)) - before) / count;
  await closeAll(sockets);
  console.log(`  ${(each / 1024).toFixed(1)} KiB of memory for each`);
}

async function closeAll(sockets: WebSocket[]): Promise<void> {
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  for (const socket of sockets) socket.close();
  await Promise.all(closed);
}

/** Measures by turns without and with sockets, because the load of the machine changes. */
async function measure(bench: Bench, kind: Kind, count: number): Promise<void> {
  const alone: Measure[] = [];
  const beside: Measure[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Each measurement begins after a garbage collection, so that all begin alike.
    await memoryOf(bench);
    alone.push(await measureLog(bench));
    const sockets = await openSockets(bench, kind, count);
    await memoryOf(bench);
    beside.push(await measureLog(bench));
    await closeAll(sockets);
    await memoryOf(bench);
    alone.push(await measureLog(bench));
  }
  report(`${count} sockets of ${kind}`, { alone, beside, hasTarget: kind === 'strangers' });
  await measureMemory(bench, kind, count);
}

interface Measures {
  alone: Measure[];
  beside: Measure[];
  hasTarget: boolean;
}

function report(title: string, { alone, beside, hasTarget }: Measures): void {
  const part = (name: keyof Measure): { text: string; ratio: number } => {
    const [with_, without] = [beside, alone].map((list) => median(list.map((one) => one[name])));
    const ratio = (with_ ?? NaN) / (without ?? NaN);
    const times = `${with_?.toFixed(0)} ms, without them ${without?.toFixed(0)} ms`;
    return { text: `${times}, ratio ${ratio.toFixed(2)}`, ratio };
  };
  const { text, ratio } = part('time');
  const verdict = ratio <= target ? 'met' : 'MISSED';
  console.log(`${title}: ${text}${hasTarget ? `; target ${target}: ${verdict}` : ''}`);
  console.log(`  processor time of the server: ${part('processor').text}`);
}

writeFiles();
const server = await startServer({
  env: {
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
    NODE_OPTIONS: `--import=${probe}`,
    SIGNALBOX_LOCAL_REPOSITORIES: '/',
  },
});
try {
  const bench = await setUp(server);
  await measureLog(bench);
  console.log(`A log of ${lines.toLocaleString('en')} lines, from the launch to its end`);
  for (const kind of kinds) for (const count of counts) await measure(bench, kind, count);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
