// Writes the results of runs of Ansible that nobody has run, for tests of the console.

import { join } from 'node:path';
import type { FailureGroup, ResultState, RunHost, RunResult } from '#shared/api/run-results.ts';
import type { TaskSection } from '#shared/api/runner-api.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { upsertSections } from '../../src/server/automation/tasks/log/sections.store.ts';
import { appendResults } from '../../src/server/automation/tasks/results/result-chunks.store.ts';
import {
  updateFailures,
  upsertHosts,
} from '../../src/server/automation/tasks/results/task-hosts.store.ts';
import { usualResult } from './usual-result.ts';

interface Run {
  sections: TaskSection[];
  hosts: RunHost[];
  results: RunResult[];
  failures: FailureGroup[];
}

const none = { ok: 0, changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 };
const start = Date.parse('2026-01-01T00:00:00.000Z');
const timeOf = (second: number): string => new Date(start + second * 1000).toISOString();

interface SampleTask {
  name: string;
  /** What the task told on a host; null: it did not run there. */
  on: (host: number) => ({ state: ResultState } & Partial<RunResult>) | null;
}

/** Adds up a run of one play from what its tasks did on each host; line 1 is the heading of the play. */
export function runOf(names: string[], tasks: SampleTask[]): Run {
  const run: Run = { sections: [], hosts: [], results: [], failures: [] };
  const source = { module: 'ansible.builtin.copy', role: '', path: 'patch.yml' };
  run.sections.push({
    ...none,
    number: 1,
    first: 1,
    line: 1,
    kind: 'play',
    name: 'Patch servers',
    module: '',
    role: '',
    path: null,
    file_line: null,
    begin: null,
    end: null,
  });
  const hosts = names.map((host): RunHost => ({
    ...none,
    host,
    begin: timeOf(0),
    end: null,
    duration_ms: 0,
    first_failure: null,
  }));
  for (const [index, { name, on }] of tasks.entries()) {
    const number = index + 2;
    const section: TaskSection = {
      ...none,
      ...source,
      number,
      first: number,
      line: number,
      kind: 'task',
      name,
      file_line: 10 + index,
      begin: timeOf(index),
      end: timeOf(index + (index % 4) + 1),
    };
    run.sections.push(section);
    for (const [at, host] of hosts.entries()) {
      const told = on(at);
      if (!told) continue;
      const id = run.results.length + 1;
      const result = {
        ...usualResult,
        id,
        host: host.host,
        section: number,
        begin: timeOf(index),
        duration_ms: 400,
        line: number,
        ...told,
      };
      run.results.push(result);
      section[told.state] += 1;
      host[told.state] += 1;
      host.duration_ms += result.duration_ms;
      noteFailure(run, result, section, host);
    }
  }
  return { ...run, hosts };
}

function noteFailure(run: Run, result: RunResult, section: TaskSection, host: RunHost): void {
  const { state, message, id, line } = result;
  if (state !== 'failed' && state !== 'unreachable') return;
  host.first_failure ??= { result: id, state, task: section.name, message, line };
  const known = run.failures.find((one) => one.message === message && one.state === state);
  if (known) {
    known.host_count += 1;
    if (known.hosts.length < 10) known.hosts.push(host.host);
    return;
  }
  const { module, role, path, file_line } = section;
  const source = { task: section.name, module, role, path, file_line };
  run.failures.push({
    state,
    ...source,
    message,
    result: id,
    line,
    hosts: [host.host],
    host_count: 1,
  });
}

/** Gives a finished task the results of this run, instead of its own. */
export async function writeRun(dataDir: string, taskId: number, run: Run): Promise<void> {
  const db = openDatabase(`sqlite:${join(dataDir, 'signalbox.db')}`);
  // Writes as the runner that had the task would.
  const task = await db
    .selectFrom('tasks')
    .select(['id', 'project_id', 'lease'])
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow();
  for (const table of ['task_hosts', 'task_sections', 'task_result_chunks'] as const) {
    await db.deleteFrom(table).where('task_id', '=', taskId).execute();
  }
  // The progress says that the program of the task tells of hosts.
  const progress = JSON.stringify({
    play: '',
    task: '',
    tasks: 0,
    ok: 0,
    changed: 0,
    failed: 0,
    unreachable: 0,
  });
  await db.updateTable('tasks').set({ results: 0, progress }).where('id', '=', taskId).execute();
  await upsertSections(db, task, run.sections);
  await upsertHosts(db, task, run.hosts);
  await appendResults(db, task, 1, run.results);
  await updateFailures(db, task, run.failures);
  await db.destroy();
}
