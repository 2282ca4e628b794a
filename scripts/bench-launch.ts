// `npm run bench:launch`: measures the time from the request that launches a task to the start of
// `ansible-playbook`, on an idle server with a local repository. For comparison, the same run
// measures how long plain `ansible-playbook` takes for the same playbook. A burst of launches
// follows, see bench-burst.ts, and the steps of a workflow, see bench-steps.ts. `npm run bench:launch -- postgres` uses a PostgreSQL of its own
// instead of SQLite.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from '../test/helpers/api-client.ts';
import { startCluster } from '../test/helpers/postgres-cluster.ts';
import { startServer, type TestServer } from '../test/helpers/server.ts';
import { measureBurst } from './bench-burst.ts';
import { measureSteps } from './bench-steps.ts';

const rounds = 30;
const onPostgres = process.argv[2] === 'postgres';
const target = 150;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const starts = join(folder, 'starts');
const ansible = execFileSync('which', ['ansible-playbook'], { encoding: 'utf8' }).trim();

/** The probe notes when it was started, then becomes the real program. */
function writeProbe(): void {
  const probe = join(folder, 'ansible-playbook');
  writeFileSync(probe, `#!/bin/sh\ndate +%s%N >> '${starts}'\nexec '${ansible}' "$@"\n`);
  chmodSync(probe, 0o755);
}

function summary(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(0);
  return `median ${at(0.5)} ms, least ${at(0)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function launchOnce(call: ApiCall, project: string, templateId: number): Promise<number> {
  const asked = performance.timeOrigin + performance.now();
  const task = await call<Task>('POST', `${project}/tasks`, { template_id: templateId });
  for (let tries = 0; tries < 600; tries += 1) {
    const { status } = await call<Task>('GET', `${project}/tasks/${task.id}`);
    if (isFinished(status)) break;
    await delay(50);
  }
  const last = readFileSync(starts, 'utf8').trim().split('\n').at(-1) ?? '';
  return Number(BigInt(last) / 1000n) / 1000 - asked;
}

function runPlain(repository: string): number {
  const begun = performance.now();
  const args = ['-i', 'localhost,', '-c', 'local', '-e', 'platform=4', 'announce.yml'];
  const extra = ['-e', 'destination=Harbour'];
  spawnSync(ansible, [...extra, ...args], { cwd: repository, stdio: 'ignore' });
  return performance.now() - begun;
}

async function measure(server: TestServer): Promise<void> {
  const call = await connectApi(server);
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Bench', demo: true });
  const project = `/api/project/${id}`;
  const [key] = await call<{ id: number }[]>('GET', `${project}/keys`);
  const [repository] = await call<{ git_url: string }[]>('GET', `${project}/repositories`);
  const templates = await call<Template[]>('GET', `${project}/templates`);
  const template = templates.find(({ playbook }) => playbook === 'announce.yml');
  if (!template || !key || !repository) throw new Error('The demo project is not as expected');
  const changed = { ...template, survey_vars: [], environment_id: template.environment_id };
  await call('PUT', `${project}/templates/${template.id}`, changed);
  const launches: number[] = [];
  const plain: number[] = [];
  // The first launch makes the mirror of the repository; its time is printed separately.
  const first = await launchOnce(call, project, template.id);
  for (let round = 0; round < rounds; round += 1) {
    launches.push(await launchOnce(call, project, template.id));
    plain.push(runPlain(repository.git_url));
  }
  console.log(`Launch to start of ansible-playbook, ${rounds} rounds: ${summary(launches)}`);
  console.log(`  the first, which also makes the mirror: ${first.toFixed(0)} ms`);
  console.log(`Plain ansible-playbook, the same playbook: ${summary(plain)}`);
  const share = (median(launches) / median(plain)) * 100;
  console.log(`The launch adds ${share.toFixed(0)} % to what Ansible itself takes.`);
  console.log(
    `Target: a median under ${target} ms: ${median(launches) < target ? 'met' : 'MISSED'}`,
  );
}

writeProbe();
const cluster = onPostgres ? await startCluster() : undefined;
const server = await startServer({
  env: {
    ...(cluster && { SIGNALBOX_DATABASE_URL: cluster.url }),
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
    SIGNALBOX_LOCAL_REPOSITORIES: folder,
  },
});
try {
  await measure(server);
  await measureBurst(server, folder);
  await measureSteps(server, folder);
} finally {
  await server.stop();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}
