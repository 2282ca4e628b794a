// Launches runs of a workflow of seven nodes on one or several servers, which are killed with -9 and
// started again.

import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Task } from '#shared/api/tasks.ts';
import type { ShortRun, WorkflowRun } from '#shared/api/workflow-runs.ts';
import type { ApiCall } from './api-client.ts';
import { DrillServers, launchAnswered, type Blow } from './drill-servers.ts';
import { judge, type DrillObservations, type WorkflowCounts } from './workflow-drill-judge.ts';
import { edgesOf } from './workflows.ts';

const execute = promisify(execFile);

interface WorkflowDrillOptions {
  /** An empty database for two web and two runner servers; null: one server that has its own. */
  databaseUrl: string | null;
  runs: number;
  /** The most seconds during which servers are killed. */
  seconds: number;
  blows: Iterable<Blow>;
  tell?: (text: string) => void;
}

interface WorkflowDrillResult {
  counts: WorkflowCounts;
  runs: number;
  tasks: number;
  unanswered: number;
  kills: number;
  seconds: number;
  findings: string[];
  printed: Map<string, string>;
}

// How many runs are unfinished at once.
const openAtOnce = 20;
// How many seconds the runs may take after the last kill.
const longestEndSeconds = 300;

// Two paths that meet, a failure that is foreseen, a wait, and what runs in any case.
const edges = 'a>b a>c b>d c>d d!e e>w w*z';
const scripts = ['a', 'b', 'c', 'd', 'e', 'z'];

/** Notes that it runs and takes half a second; `d` fails. */
const scriptOf = (name: string): string => `echo "\${SIGNALBOX_RUN%%-*}" >> "$WORKFLOW_RUNS"
sleep 0.5
exit ${name === 'd' ? 3 : 0}
`;

interface DrillProject {
  path: string;
  workflowId: number;
}

async function writeRepository(code: string): Promise<void> {
  await mkdir(code, { recursive: true });
  for (const name of scripts) await writeFile(join(code, `${name}.sh`), scriptOf(name));
  const git = (...args: string[]) =>
    execute('git', ['-c', 'user.name=Drill', '-c', 'user.email=drill@example.com', ...args], {
      cwd: code,
    });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Drill');
}

export async function makeWorkflowProject(
  call: ApiCall,
  { folder, noted }: { folder: string; noted: string },
): Promise<DrillProject> {
  const code = join(folder, 'code');
  await writeRepository(code);
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Drill' });
  const path = `/api/project/${id}`;
  const [key] = await call<{ id: number }[]>('GET', `${path}/keys`);
  const create = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${path}/${noun}`, body)).id;
  const parts = {
    app: 'bash',
    allow_parallel_tasks: true,
    repository_id: await create('repositories', {
      name: 'Code',
      git_url: code,
      git_branch: 'main',
      ssh_key_id: key?.id,
    }),
    environment_id: await create('environment', {
      name: 'Variables',
      env: JSON.stringify({ WORKFLOW_RUNS: noted }),
    }),
  };
  const nodes: object[] = [{ type: 'wait', key: 'w', name: 'w', seconds: 1 }];
  for (const name of scripts) {
    const template_id = await create('templates', { name, playbook: `${name}.sh`, ...parts });
    nodes.push({ type: 'template', key: name, name, template_id });
  }
  const graph = { nodes, edges: edgesOf(edges) };
  return { path, workflowId: await create('workflows', { name: 'Drill', graph }) };
}

/** Asks again while no server answers. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 300; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await delay(100);
    }
  }
  throw new Error('no server answered');
}

/** All entries of a list that begins with the newest. */
async function listAll<T extends { id: number }>(call: ApiCall, path: string): Promise<T[]> {
  const all: T[] = [];
  for (let before = ''; ; before = `&before=${all.at(-1)?.id}`) {
    const page = await answered(() => call<T[]>('GET', `${path}?limit=200${before}`));
    all.push(...page);
    if (page.length < 200) return all;
  }
}

async function countOpen(call: ApiCall, { path }: DrillProject): Promise<number> {
  const newest = () => call<ShortRun[]>('GET', `${path}/workflow_runs?limit=1000`);
  return (await answered(newest)).filter(({ end }) => end === null).length;
}

async function launchAll(
  call: ApiCall,
  project: DrillProject,
  { runs, tell = () => undefined }: WorkflowDrillOptions,
): Promise<DrillObservations['launched']> {
  const launched: DrillObservations['launched'] = new Map();
  const path = `${project.path}/workflows/${project.workflowId}/runs`;
  for (let number = 0; number < runs; number += 1) {
    for (let tries = 0; tries < 3000; tries += 1) {
      if ((await countOpen(call, project)) < openAtOnce) break;
      await delay(200);
    }
    const message = `number ${number}`;
    const note = { answered: [], unanswered: 0 };
    launched.set(message, note);
    await launchAnswered(note, () => call<WorkflowRun>('POST', path, { message }));
    if (number % 20 === 19) tell(`${number + 1} of ${runs} runs launched`);
  }
  return launched;
}

export async function lookAtRuns(
  call: ApiCall,
  { path }: DrillProject,
): Promise<Pick<DrillObservations, 'runs' | 'tasks'>> {
  const runs: WorkflowRun[] = [];
  for (const { id } of await listAll<ShortRun>(call, `${path}/workflow_runs`)) {
    runs.push(await answered(() => call<WorkflowRun>('GET', `${path}/workflow_runs/${id}`)));
  }
  return { runs, tasks: await listAll<Task>(call, `${path}/tasks`) };
}

export async function runWorkflowDrill(
  options: WorkflowDrillOptions,
): Promise<WorkflowDrillResult> {
  const begun = performance.now();
  const { databaseUrl, tell = () => undefined } = options;
  const servers = await DrillServers.start({
    roles: databaseUrl === null ? ['all'] : ['web', 'web', 'runner', 'runner'],
    databaseUrl,
    atOnce: 8,
    startSeconds: longestEndSeconds,
    tell,
  });
  try {
    const noted = join(servers.folder, 'runs.txt');
    await appendFile(noted, '');
    const call = await servers.connect();
    const project = await makeWorkflowProject(call, { folder: servers.folder, noted });
    let isLaunched = false;
    const end = performance.now() + options.seconds * 1000;
    const launching = launchAll(call, project, options).finally(() => (isLaunched = true));
    const isOver = async () =>
      performance.now() > end || (isLaunched && (await countOpen(call, project)) === 0);
    const [launched] = await Promise.all([launching, servers.strikeAll(options.blows, isOver)]);
    const last = performance.now() + longestEndSeconds * 1000;
    while (performance.now() < last && (await countOpen(call, project)) > 0) await delay(500);
    const seen = await lookAtRuns(call, project);
    const lines = (await readFile(noted, 'utf8')).trim().split('\n').map(Number);
    return {
      ...judge({ ...seen, noted: lines, launched }),
      runs: seen.runs.length,
      tasks: seen.tasks.length,
      unanswered: [...launched.values()].reduce((sum, one) => sum + one.unanswered, 0),
      kills: servers.kills,
      seconds: (performance.now() - begun) / 1000,
      printed: servers.printed(),
    };
  } finally {
    await servers.tearDown();
  }
}
