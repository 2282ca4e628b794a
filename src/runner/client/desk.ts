// The desk of a runner: it answers each call with a request to the server.

import type { JWK } from 'jose';
import { runnerDesk, type Report, type SentLines } from '#shared/api/runner-desk.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import type { Desk, HeldTask } from '../desk/desk.ts';
import { openSealed } from '../system/seal.ts';
import { Refusal, type Ask } from './ask.ts';
import type { RunKeys } from '../desk/secrets.ts';

export function remoteDesk(ask: Ask, privateKey: JWK): Desk {
  const report = ({ id, lease }: HeldTask, body: Report) =>
    ask(runnerDesk.report, { params: { task_id: id }, body: { lease, report: body } });
  const log = ({ id, lease }: HeldTask, from: number, lines: LogLine[], offset: number) =>
    ask(runnerDesk.log, {
      params: { task_id: id },
      body: { lease, from, lines: byTime(lines), spool_offset: offset },
    });
  return {
    async openKeys({ id, lease }) {
      const { sealed } = await ask(runnerDesk.secrets, {
        params: { task_id: id },
        body: { lease },
      });
      return (await openSealed(privateKey, { task: id, lease }, sealed)) as RunKeys;
    },
    // The server records the keys when it hands them out.
    recordKeys: () => Promise.resolve(),
    move: async (task, to) => (await report(task, { kind: 'move', to })).accepted,
    end: (task, to) =>
      report(task, { kind: 'end', to }).then(
        ({ accepted }) => accepted,
        (error: unknown) => {
          // The task has ended already: an earlier request has arrived, but its answer was lost.
          if (error instanceof Refusal && error.refusal === 'runner.task_taken') return false;
          throw error;
        },
      ),
    async recordStep(task, step) {
      await report(task, { kind: 'step', ...step });
    },
    async recordCommit(task, commit) {
      await report(task, { kind: 'commit', ...commit });
    },
    async takeVersion(task) {
      const { type, startVersion } = task.snapshot;
      if (type !== 'build' || startVersion === null) return task.version;
      return (await report(task, { kind: 'version' })).version;
    },
    async recordProgress(task, progress, hosts) {
      await report(task, { kind: 'progress', progress, hosts });
    },
    // One request has all lines, so that they and the byte behind them are stored together or not at all.
    async storeLines(task, { from, lines, spoolOffset }) {
      await log(task, from, lines, spoolOffset);
    },
    countLines: async (task) => (await log(task, 1, [], 0)).total,
    sortOut: (found) => ask(runnerDesk.sortOut, { body: found }),
  };
}

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
