// The desk of a runner: it answers each call with a request to the server.

import type { JWK } from 'jose';
import { runnerDesk, type SentLines, type SentLog } from '#shared/api/runner-desk.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import type { Desk, HeldTask, NewLines } from '../desk/desk.ts';
import { openSealed } from '../system/seal.ts';
import { Refusal, type Ask } from './ask.ts';
import { createReports, type SendReport } from './reports.ts';
import type { RunKeys } from '../desk/secrets.ts';

export function remoteDesk(ask: Ask, privateKey: JWK): Desk {
  const report = createReports(ask);
  const log = ({ id, lease }: HeldTask, lines: NewLines) =>
    ask(runnerDesk.log, { params: { task_id: id }, body: { lease, ...toSend(lines) } });
  return {
    ...runReports(report),
    async openKeys({ id, lease, sealed = null }) {
      const request = { params: { task_id: id }, body: { lease } };
      const given = sealed ?? (await ask(runnerDesk.secrets, request)).sealed;
      return (await openSealed(privateKey, { task: id, lease }, given)) as RunKeys;
    },
    // The server records the keys when it hands them out.
    recordKeys: () => Promise.resolve(),
    park: async (task, why) =>
      (await report(task, { kind: 'move', to: 'waiting_confirmation', why })).accepted,
    end: (task, { to, exitCode, failure }) =>
      report(task, { kind: 'end', to, exit_code: exitCode, failure }).then(
        ({ accepted }) => accepted,
        (error: unknown) => {
          // The task has ended already: an earlier request has arrived, but its answer was lost.
          if (error instanceof Refusal && error.refusal === 'runner.task_taken') return false;
          throw error;
        },
      ),
    async beginStep(task, { step, commands, log: lines = null }) {
      const told = { step, commands, log: lines && toSend(lines) };
      return (await report(task, { kind: 'step', ...told })).accepted;
    },
    async recordCommit(task, commit) {
      await report(task, { kind: 'commit', ...commit });
    },
    async recordTools(task, tools) {
      await report(task, { kind: 'tools', tools });
    },
    async takeVersion(task) {
      const { type, startVersion } = task.snapshot;
      if (type !== 'build' || startVersion === null) return task.version;
      return (await report(task, { kind: 'version' })).version;
    },
    // One request has all lines, so that they and the byte behind them are stored together or not at all.
    async storeLines(task, lines) {
      await log(task, lines);
    },
    countLines: async (task) => (await log(task, { from: 1, lines: [], spoolOffset: 0 })).total,
    async sortOut(found) {
      const { installation: _installation, ...kept } = await ask(runnerDesk.sortOut, {
        body: found,
      });
      return kept;
    },
  };
}

type RunReports = Pick<
  Desk,
  | 'recordProgress'
  | 'recordHosts'
  | 'recordFacts'
  | 'recordFailures'
  | 'storeResults'
  | 'recordSections'
  | 'recordPlan'
  | 'recordOutputs'
  | 'tellPartial'
>;

/** What a run tells of itself while it goes on. */
function runReports(report: SendReport): RunReports {
  return {
    async recordProgress(task, progress, isDryRun) {
      await report(task, { kind: 'progress', progress, dry_run: isDryRun });
    },
    async recordHosts(task, hosts) {
      await report(task, { kind: 'hosts', hosts });
    },
    async recordFacts(task, hosts) {
      await report(task, { kind: 'facts', hosts });
    },
    async recordFailures(task, failures) {
      await report(task, { kind: 'failures', failures });
    },
    storeResults: async (task, from, results) =>
      (await report(task, { kind: 'results', from, results })).accepted,
    async recordSections(task, sections) {
      await report(task, { kind: 'sections', sections });
    },
    async recordPlan(task, plan) {
      await report(task, { kind: 'plan', plan });
    },
    async recordOutputs(task, outputs) {
      await report(task, { kind: 'outputs', outputs });
    },
    async tellPartial(task, partial) {
      await report(task, { kind: 'partial', ...partial });
    },
  };
}

const toSend = ({ from, lines, spoolOffset }: NewLines): SentLog => ({
  from,
  lines: byTime(lines),
  spool_offset: spoolOffset,
});

/** Groups lines with the same time, because most lines have the time of the line before. */
function byTime(lines: LogLine[]): SentLines[] {
  const groups: SentLines[] = [];
  for (const { time, output } of lines) {
    const last = groups.at(-1);
    if (last?.time === time) last.outputs.push(output);
    else groups.push({ time, outputs: [output] });
  }
  return groups;
}
