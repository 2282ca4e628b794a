// Batches the reports that a run sends in the same tick into one request.

import {
  MAX_MORE_REPORTS,
  runnerApiEndpoints,
  type ReportReply,
  type ProgressReport,
  type Report,
} from '#shared/api/runner-api.ts';
import type { HeldTask } from '../api/runner-api.ts';
import type { CallServer } from './server-client.ts';

interface Batch {
  more: ProgressReport[];
  /** The replies to the first report and to `more`. */
  answers: Promise<ReportReply[]>;
}

export type SendReport = (task: HeldTask, report: Report) => Promise<ReportReply>;

const batchedKinds: Record<ProgressReport['kind'], true> = {
  sections: true,
  results: true,
  failures: true,
  hosts: true,
  facts: true,
  progress: true,
};

const isBatched = (report: Report): report is ProgressReport =>
  Object.hasOwn(batchedKinds, report.kind);

export function createReportBatcher(callServer: CallServer): SendReport {
  /** The batches that are sent in the next microtask, by task and lease. */
  const open = new Map<string, Batch>();
  const send = ({ id, lease }: HeldTask, report: Report, more: ProgressReport[]) =>
    callServer(runnerApiEndpoints.report, {
      params: { task_id: id },
      body: { lease, report, more },
    });
  const begin = (task: HeldTask, key: string, report: ProgressReport): Batch => {
    const more: ProgressReport[] = [];
    const answers = Promise.resolve().then(async () => {
      open.delete(key);
      const first = await send(task, report, more);
      return [first, ...first.more];
    });
    const batch = { more, answers };
    open.set(key, batch);
    return batch;
  };
  const join = async (task: HeldTask, report: ProgressReport): Promise<ReportReply> => {
    const key = `${task.id} ${task.lease}`;
    const last = open.get(key);
    const isRoom = last !== undefined && last.more.length < MAX_MORE_REPORTS;
    const batch = isRoom ? last : begin(task, key, report);
    const at = isRoom ? last.more.push(report) : 0;
    const answer = (await batch.answers)[at];
    if (answer) return answer;
    throw new Error('The server has not answered a report: it is older than this runner.');
  };
  return (task, report) => (isBatched(report) ? join(task, report) : send(task, report, []));
}
