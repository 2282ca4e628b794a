// Also on PostgreSQL: what a run asks is answered from the database.
// The server answers the requests of a run as the server in memory does that the tests of the runner use.

import { describe, expect, test } from 'vitest';
import type { FailureGroup, RunHost, RunResult } from '#shared/api/run-results.ts';
import type { TaskSection } from '#shared/api/runner-api.ts';
import { noResults } from '#shared/api/task-log.ts';
import type { OutputValue } from '#shared/api/task-outputs.ts';
import type { TaskTools } from '#shared/api/task-changes.ts';
import type { Failure } from '#shared/catalogue/task-failures.ts';
import { newCanary } from '../helpers/canaries.ts';
import { places } from '../helpers/runner-api-cases.ts';
import { usualResult } from '../helpers/usual-result.ts';

const time = '2026-05-01T10:00:00.000Z';
const lines = (...outputs: string[]) => outputs.map((output) => ({ time, output }));

const resultOf = (id: number, host: string): RunResult => ({
  ...usualResult,
  id,
  host,
  begin: time,
  line: id,
  state: 'changed',
  message: 'NUL: \0',
  output: 'two\nlines',
  exit_code: 0,
  diffs: [{ name: '/etc/motd', text: '+\0' }],
  changed: true,
});

const hostOf = (host: string, values: Partial<RunHost>): RunHost => ({
  ...noResults,
  host,
  begin: time,
  end: null,
  duration_ms: 5,
  first_failure: null,
  ...values,
});

const failureOf = (message: string): FailureGroup => ({
  state: 'failed',
  task: 'Try',
  module: 'ansible.builtin.command',
  role: '',
  path: 'play.yml',
  file_line: 4,
  message,
  result: 1,
  line: null,
  hosts: ['one'],
  host_count: 1,
});

const sectionOf = (number: number): TaskSection => ({
  ...noResults,
  number,
  first: number,
  kind: 'task',
  line: number,
  name: `Task ${number}`,
  module: 'ansible.builtin.command',
  role: '',
  path: 'play.yml',
  file_line: 4,
  begin: time,
  end: null,
});

describe.each(places)('%s', (_name, begin) => {
  test('notes what becomes of a task, and refuses what its status does not allow', async () => {
    const { runnerApi, task, shown } = await begin();
    await runnerApi.recordCommit(task, { hash: 'abcdef0123456789', message: 'First' });
    expect(await runnerApi.beginStep(task, { step: 1, commands: ['bash play.yml'] })).toBe(true);
    expect(await shown()).toMatchObject({
      status: 'running',
      commit_hash: 'abcdef0123456789',
      commit_message: 'First',
      commands: ['bash play.yml'],
    });
    expect(await runnerApi.end(task, { to: 'success', exitCode: 0, failure: null })).toBe(true);
    expect(await runnerApi.end(task, { to: 'error', exitCode: 1, failure: null })).toBe(false);
    expect(await shown()).toMatchObject({ status: 'success', failure: null });
  });

  test('stores lines together with the step that they come before', async () => {
    const { runnerApi, task, shown, log, spoolOffset } = await begin();
    const first = { from: 1, lines: lines('one', 'two'), spoolOffset: 0 };
    const step = { step: 1, commands: ['bash play.yml'], log: first };
    expect(await runnerApi.beginStep(task, step)).toBe(true);
    expect(await shown()).toMatchObject({ status: 'running' });
    expect(await log()).toBe('one\ntwo');
    // The lines belong to the spool of the step before, and the next step has a spool of its own.
    const second = { from: 3, lines: lines('three'), spoolOffset: 8 };
    await runnerApi.beginStep(task, { step: 2, commands: ['bash play.yml', 'two'], log: second });
    expect([await log(), await spoolOffset()]).toEqual(['one\ntwo\nthree', 0]);
  });

  test('stores nothing with a step of a task that another runner has by now', async () => {
    const { runnerApi, task, shown, log } = await begin();
    const first = { from: 1, lines: lines('one'), spoolOffset: 0 };
    const old = { ...task, lease: task.lease - 1 };
    const begun = runnerApi.beginStep(old, { step: 1, commands: [], log: first });
    await expect(begun).rejects.toThrow(/another runner|task/);
    expect(await shown()).toMatchObject({ status: 'starting' });
    expect(await log()).toBe('');
  });

  test('keeps the lines before a step that does not begin', async () => {
    const { runnerApi, task, stop, log } = await begin();
    await stop();
    const first = { from: 1, lines: lines('one'), spoolOffset: 0 };
    expect(await runnerApi.beginStep(task, { step: 1, commands: ['bash'], log: first })).toBe(
      false,
    );
    expect(await log()).toBe('one');
  });

  test('begins no step of a task that was told to stop, and parks none', async () => {
    const { runnerApi, task, stop, shown } = await begin();
    await stop();
    expect(await runnerApi.beginStep(task, { step: 1, commands: ['bash play.yml'] })).toBe(false);
    expect(await runnerApi.park(task, null)).toBe(false);
    expect(await shown()).toMatchObject({ status: 'stopping', commands: [] });
  });

  test('begins no further step of a task that was told to stop', async () => {
    const { runnerApi, task, stop, shown } = await begin();
    expect(await runnerApi.beginStep(task, { step: 1, commands: ['one'] })).toBe(true);
    expect(await runnerApi.beginStep(task, { step: 2, commands: ['one', 'two'] })).toBe(true);
    await stop();
    expect(await runnerApi.beginStep(task, { step: 3, commands: ['one', 'two', 'three'] })).toBe(
      false,
    );
    expect(await shown()).toMatchObject({ status: 'stopping', commands: ['one', 'two'] });
  });

  test('notes how a task has ended, and when a runner began with it', async () => {
    const { runnerApi, task, shown } = await begin();
    const { start } = (await shown()) as { start: string | null };
    expect(start).toEqual(expect.any(String));
    await runnerApi.beginStep(task, { step: 1, commands: ['bash play.yml'] });
    const failure: Failure = {
      code: 'failure.exit_code',
      params: { program: 'bash', code: 3 },
    };
    expect(await runnerApi.end(task, { to: 'error', exitCode: 3, failure })).toBe(true);
    expect(await shown()).toMatchObject({ status: 'error', start, exit_code: 3, failure });
  });

  test('stores lines with the byte behind them, and counts them', async () => {
    const { runnerApi, task, log, spoolOffset } = await begin();
    await runnerApi.beginStep(task, { step: 1, commands: ['bash play.yml'] });
    expect(await runnerApi.countLines(task)).toBe(0);
    await runnerApi.storeLines(task, { from: 1, lines: lines('one', 'two\0'), spoolOffset: 8 });
    await runnerApi.storeLines(task, { from: 3, lines: lines('three'), spoolOffset: 14 });
    expect(await runnerApi.countLines(task)).toBe(3);
    expect(await log()).toBe('one\ntwo\uFFFD\nthree');
    expect(await spoolOffset()).toBe(14);
    // The next step has a spool of its own.
    await runnerApi.beginStep(task, { step: 1, commands: ['bash play.yml'] });
    expect(await spoolOffset()).toBe(0);
  });

  test('stores results once, in their order, without a gap', async () => {
    const { runnerApi, task, told } = await begin();
    const all = [1, 2, 3, 4, 5].map((id) => resultOf(id, `host-${id % 2}`));
    expect(await runnerApi.storeResults(task, 1, all.slice(0, 2))).toBe(true);
    expect(await runnerApi.storeResults(task, 1, all.slice(0, 3))).toBe(true);
    expect(await runnerApi.storeResults(task, 2, all.slice(1, 2))).toBe(true);
    expect(await runnerApi.storeResults(task, 5, all.slice(4))).toBe(false);
    expect(await runnerApi.storeResults(task, 4, all.slice(3))).toBe(true);
    expect((await told()).results).toEqual(all);
  });

  test('notes what became of hosts, and replaces what it knew of them', async () => {
    const { runnerApi, task, told } = await begin();
    await runnerApi.recordHosts(task, [hostOf('one', { ok: 1 }), hostOf('two\0', { ok: 1 })]);
    const failed = { result: 2, state: 'failed' as const, task: 'Try', message: 'no\0', line: 3 };
    await runnerApi.recordHosts(task, [
      hostOf('one', { failed: 1, first_failure: failed, end: time }),
    ]);
    expect((await told()).hosts).toEqual([
      hostOf('one', { failed: 1, first_failure: failed, end: time }),
      hostOf('two\uFFFD', { ok: 1 }),
    ]);
    // Names that are cut may be equal.
    const long = 'x'.repeat(250);
    const both = [hostOf(`${long}1`, { ok: 1 }), hostOf(`${long}2`, { ok: 2 })];
    await runnerApi.recordHosts(task, both);
    expect((await told()).hosts.at(-1)).toEqual(hostOf(long, { ok: 2 }));
  });

  test('notes the facts of hosts that it knows, and replaces them', async () => {
    const { runnerApi, task, told } = await begin();
    await runnerApi.recordHosts(task, [hostOf('one', {}), hostOf('two', {}), hostOf('three', {})]);
    const same = { kernel: '6.1', note: 'a\0b' };
    await runnerApi.recordFacts(task, [
      { host: 'one', facts: { kernel: '5.10' } },
      { host: 'two', facts: same },
    ]);
    await runnerApi.recordFacts(task, [
      { host: 'one', facts: same },
      { host: 'three', facts: {} },
    ]);
    expect((await told()).facts).toEqual({ one: same, two: same, three: {} });
    const old = { ...task, lease: task.lease - 1 };
    await expect(runnerApi.recordFacts(old, [])).rejects.toThrow(/another runner|task/);
  });

  test('replaces what a run hands on, with its secrets', async () => {
    const { runnerApi, task, told } = await begin();
    const output = (name: string, value: OutputValue) => ({ name, value, secret: null });
    const first = [output('a', 'x'), { name: 'b', value: null, secret: '"canary"' }];
    await runnerApi.recordOutputs(task, first);
    expect((await told()).outputs).toEqual(first);
    const second = [
      { name: 'a', value: null, secret: '{"user":"y"}' },
      output('c', { list: [1, null, 'ü\0'], __proto: true }),
    ];
    await runnerApi.recordOutputs(task, second);
    expect((await told()).outputs).toEqual(second);
    await runnerApi.recordOutputs(task, [output('d', 0)]);
    expect((await told()).outputs).toEqual([output('d', 0)]);
    const old = { ...task, lease: task.lease - 1 };
    await expect(runnerApi.recordOutputs(old, [])).rejects.toThrow(/another runner|task/);
    await runnerApi.end(task, { to: 'success', exitCode: 0, failure: null });
    expect((await told()).outputs).toEqual([output('d', 0)]);
  });

  test('replaces the failures of a run', async () => {
    const { runnerApi, task, told } = await begin();
    await runnerApi.recordFailures(task, [failureOf('first'), failureOf('second')]);
    await runnerApi.recordFailures(task, [failureOf('third\0')]);
    expect((await told()).failures).toEqual([failureOf('third\0')]);
  });

  test('notes plays and tasks with their places and times', async () => {
    const { runnerApi, task, told } = await begin();
    await runnerApi.recordSections(task, [sectionOf(1), sectionOf(2)]);
    const later = { ...sectionOf(2), failed: 1, end: time };
    await runnerApi.recordSections(task, [sectionOf(2), { ...later, role: 'web\0', path: 'a\0' }]);
    expect((await told()).sections).toEqual([
      sectionOf(1),
      { ...later, role: 'web\uFFFD', path: 'a\uFFFD' },
    ]);
  });

  test('opens the keys of a run, and says that it was given them', async () => {
    const password = newCanary();
    const { runnerApi, addVault, isUseRecorded } = await begin();
    const held = await addVault(password);
    const opened = await runnerApi.openKeys(held);
    expect(opened.vaults).toEqual([{ type: 'login_password', login: '', password }]);
    expect(opened.user).toEqual({ type: 'none' });
    await runnerApi.recordKeys(held);
    expect(await isUseRecorded()).toBe(true);
  });

  test('keeps the programs and requirements of a run', async () => {
    const { runnerApi, task, tools } = await begin();
    const told: TaskTools = {
      programs: [{ name: 'ansible', version: '2.18.1' }],
      requirements: [{ kind: 'role', name: 'base', version: 'v1' }],
    };
    await runnerApi.recordTools(task, told);
    expect(await tools()).toEqual(told);
    const old = { ...task, lease: task.lease - 1 };
    await expect(runnerApi.recordTools(old, told)).rejects.toThrow(/another runner|task/);
  });

  test('gives a build its version once', async () => {
    const { runnerApi, task } = await begin('1.0.0');
    expect(await runnerApi.assignVersion(task)).toBe('1.0.0');
    expect(await runnerApi.assignVersion({ ...task, version: '1.0.0' })).toBe('1.0.0');
  });

  test('shows a line before its end, and stores nothing of it', async () => {
    const { runnerApi, task, log } = await begin();
    await runnerApi.sendPartialLine(task, { after: 0, output: 'Password: ' });
    expect([await runnerApi.countLines(task), await log()]).toEqual([0, '']);
  });

  test('takes nothing from whoever holds the task no more', async () => {
    const { runnerApi, task, log } = await begin();
    const old = { ...task, lease: task.lease - 1 };
    const more = { from: 1, lines: lines('late'), spoolOffset: 5 };
    await expect(runnerApi.storeLines(old, more)).rejects.toThrow(/another runner|task/);
    await expect(runnerApi.beginStep(old, { step: 1, commands: [] })).rejects.toThrow(
      /another runner|task/,
    );
    const lateCalls = [
      () => runnerApi.recordSections(old, []),
      () => runnerApi.recordHosts(old, [hostOf('one', {})]),
      () => runnerApi.recordFailures(old, []),
      () => runnerApi.storeResults(old, 1, [resultOf(1, 'one')]),
    ];
    for (const call of lateCalls) await expect(call()).rejects.toThrow(/another runner|task/);
    expect(await log()).toBe('');
  });

  test('keeps the plan of a run, in place of an earlier one', async () => {
    const { task, runnerApi, shown } = await begin();
    const counts = { create: 1, update: 0, replace: 0, delete: 2, read: 0 };
    const plan = { counts, changes: [], is_complete: true, is_whole: null };
    await runnerApi.recordPlan(task, { ...plan, counts: { ...counts, create: 7 } });
    await runnerApi.recordPlan(task, plan);
    const { plan: kept } = (await shown()) as { plan: object };
    expect('counts' in kept ? kept.counts : kept).toEqual(counts);
  });

  test('says which of what lies in a data folder belongs to something', async () => {
    const { task, runnerApi } = await begin();
    const projects = [task.project_id, 999_999];
    const own = { project_id: task.project_id, template_id: task.template_id };
    const states = [own, { ...own, project_id: 9999 }];
    const found = { mirrors: ['1-000000000000'], projects, homes: projects, states };
    // The project keeps no home folder.
    const kept = { mirrors: [], projects: [task.project_id], homes: [], states: [own] };
    expect(await runnerApi.filterExisting(found)).toEqual(kept);
  });
});
