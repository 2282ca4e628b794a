// A task that a runner holds, for tests of both runner APIs: over HTTP and in memory.

import type { FailureGroup, RunHost, RunResult } from '#shared/api/run-results.ts';
import type { TaskOutput, ToldOutput } from '#shared/api/task-outputs.ts';
import type { ToldFacts } from '#shared/host-facts.ts';
import type { RunnerTask, TaskSection } from '#shared/api/runner-api.ts';
import { keys } from '#shared/api/keys.ts';
import { tasks } from '#shared/api/tasks.ts';
import { createServerClient } from '../../src/runner/client/server-client.ts';
import { createHttpRunnerApi } from '../../src/runner/client/http-runner-api.ts';
import type { RunnerApi } from '../../src/runner/api/runner-api.ts';
import { listRunSections } from '../../src/server/automation/tasks/log/sections.store.ts';
import { readResults } from '../../src/server/automation/tasks/results/result-chunks.store.ts';
import {
  findFailures,
  listHosts,
} from '../../src/server/automation/tasks/results/task-hosts.store.ts';
import { sealedColumns } from '../../src/server/vault/sealed-columns.ts';
import { type TestApp } from './app.ts';
import { appWithProject } from './app-with-project.ts';
import { enterWithKey } from './runner-caller.ts';
import { claimNext, launch, logText, readTask } from './tasks.ts';
import { login, taskOf } from '../runner/given.ts';
import { createMemoryRunnerApi } from '../runner/memory-runner-api.ts';
import { memoryQueue } from '../runner/memory-queue.ts';
import { MemoryStore } from '../runner/memory-store.ts';

/** A task that a runner holds, and what others see of it. */
interface Case {
  runnerApi: RunnerApi;
  task: RunnerTask;
  shown: () => Promise<object>;
  log: () => Promise<string>;
  spoolOffset: () => Promise<number | undefined>;
  /** Stops the task, as a person does. */
  stop: () => Promise<unknown>;
  tools: () => Promise<unknown>;
  /** Gives the task a vault with this password; returns the task as it is then. */
  addVault: (password: string) => Promise<RunnerTask>;
  /** What is stored of what the run has done. */
  told: () => Promise<{
    results: RunResult[];
    hosts: RunHost[];
    /** The facts of hosts by their names, without those that have told none. */
    facts: Record<string, ToldFacts['facts']>;
    outputs: ToldOutput[];
    failures: FailureGroup[];
    sections: TaskSection[];
  }>;
  /** Whether it is on record that the run was given the key of that vault. */
  isUseRecorded: () => Promise<boolean>;
}

/** Returns the case of a task; with a version, of a build that begins with it. */
type Begin = (startVersion?: string) => Promise<Case>;

const overHttp: Begin = async (startVersion) => {
  const { app, seed } = await appWithProject(null);
  const fields = startVersion ? { type: 'build' as const, start_version: startVersion } : {};
  const template = await seed.template(fields);
  const launched = await launch(app.admin, seed.projectId, { template_id: template.id });
  const { id } = launched;
  const task = await claimNext(app.ctx);
  if (task?.id !== id) throw new Error('The task was not taken.');
  const { credential, privateKey, runnerId } = await enterWithKey(app);
  const callServer = createServerClient({ url: await app.listen() }, credential);
  const change = (values: { runner_id: number } | { snapshot: string }) =>
    app.ctx.db.updateTable('tasks').set(values).where('id', '=', id).execute();
  await change({ runner_id: runnerId });
  return {
    runnerApi: createHttpRunnerApi(callServer, privateKey),
    task,
    shown: () => readTask(app.admin, launched),
    log: () => logText(app.admin, launched),
    async spoolOffset() {
      const row = app.ctx.db.selectFrom('tasks').select('spool_offset').where('id', '=', id);
      return (await row.executeTakeFirst())?.spool_offset;
    },
    stop: () =>
      app.admin.call(tasks.stop, {
        params: { project_id: seed.projectId, task_id: id },
        body: { force: false },
      }),
    async tools() {
      const row = app.ctx.db.selectFrom('tasks').select('tools').where('id', '=', id);
      return JSON.parse((await row.executeTakeFirst())?.tools ?? 'null');
    },
    told: async () => ({
      results: (await readResults(app.ctx.db, id, { from: 1, limit: 1000 })).results,
      hosts: await listHosts(app.ctx.db, id),
      facts: await factsOf(app, id),
      outputs: await outputsOf(app, id),
      failures: await findFailures(app.ctx.db, id),
      sections: await listRunSections(app.ctx.db, id),
    }),
    async addVault(password) {
      const key = await app.admin.call(keys.create, {
        params: { project_id: seed.projectId },
        body: { name: 'Login', type: 'login_password', login_password: { login: '', password } },
      });
      const snapshot = { ...task.snapshot, vaults: [{ keyId: key.id, name: 'default' }] };
      await change({ snapshot: JSON.stringify(snapshot) });
      return { ...task, snapshot };
    },
    async isUseRecorded() {
      const used = app.ctx.db.selectFrom('events').select('params');
      const events = await used.where('code', '=', 'task.keys_used').execute();
      return events.some(({ params }) => params.includes('Login'));
    },
  };
};

async function factsOf({ ctx }: TestApp, taskId: number) {
  const rows = await ctx.db
    .selectFrom('task_hosts')
    .innerJoin('fact_sets', 'fact_sets.id', 'task_hosts.fact_set_id')
    .select(['host', 'facts'])
    .where('task_id', '=', taskId)
    .execute();
  return Object.fromEntries(
    rows.map(({ host, facts }) => [host, JSON.parse(facts) as ToldFacts['facts']]),
  );
}

/** The outputs with their secrets, as the runner has told them. */
async function outputsOf({ ctx }: TestApp, taskId: number): Promise<ToldOutput[]> {
  const rows = ctx.db.selectFrom('task_outputs').selectAll().where('task_id', '=', taskId);
  const row = await rows.executeTakeFirst();
  if (!row) return [];
  const sealed = row.secrets;
  const opened = sealed === null ? '[]' : ctx.vault.open(sealed, sealedColumns.outputs.at(row));
  const secrets = new Map(JSON.parse(opened) as [string, string][]);
  const outputs = JSON.parse(row.outputs) as TaskOutput[];
  return outputs.map(({ name, value }) => ({ name, value, secret: secrets.get(name) ?? null }));
}

const inMemory: Begin = async (startVersion) => {
  const store = new MemoryStore();
  const given = { repository: '/srv/code', ...(startVersion && { startVersion }) };
  const type = startVersion ? 'build' : '';
  const stored = store.add(await taskOf(store, { ...given, type }));
  for await (const task of memoryQueue(store).receive([])) {
    let vaultKey = 0;
    return {
      runnerApi: createMemoryRunnerApi(store),
      task,
      async shown() {
        const { commitMessage, exitCode } = stored;
        return { ...stored, commit_message: commitMessage, exit_code: exitCode };
      },
      log: async () => stored.lines.map(({ output }) => output).join('\n'),
      spoolOffset: async () => stored.spool_offset,
      stop: async () => store.stop(stored.id, false),
      tools: async () => stored.tools,
      told: async () => ({
        results: stored.runResults,
        hosts: [...stored.hosts.values()],
        facts: Object.fromEntries(stored.facts),
        outputs: stored.outputs,
        failures: stored.failures,
        sections: [...stored.sections.values()],
      }),
      async addVault(password) {
        vaultKey = store.addKey(login('', password));
        stored.snapshot = { ...task.snapshot, vaults: [{ keyId: vaultKey, name: 'default' }] };
        return { ...task, snapshot: stored.snapshot };
      },
      isUseRecorded: async () => store.usedKeys.has(vaultKey),
    };
  }
  throw new Error('The task was not taken.');
};

export const places: [name: string, begin: Begin][] = [
  ['a server over HTTP', overHttp],
  ['a server in memory', inMemory],
];
