// The runner API as HTTP requests to the server.

import type { JWK } from 'jose';
import {
  runnerApiEndpoints,
  type SentLines,
  type SentLog,
  MAX_MORE_REPORTS,
  type PublicKey,
  type RunnerTask,
  type ReportReply,
  type ProgressReport,
  type Report,
} from '#shared/api/runner-api.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import type { RunnerApi, HeldTask, NewLines } from '../api/runner-api.ts';
import { openSealed } from '../../node/crypto/seal.ts';
import { RefusedRequestError, type CallServer } from './server-client.ts';
import type { RunKeys } from '../api/run-secrets.ts';

/** `publicKey`: the secrets are sealed to this key instead of that of the runner. */
export function createHttpRunnerApi(
  callServer: CallServer,
  privateKey: JWK,
  publicKey: PublicKey | null = null,
): RunnerApi {
  const report = createReportBatcher(callServer);
  const send = async (task: HeldTask, sent: Report): Promise<void> =>
    void (await report(task, sent));
  const log = ({ id, lease }: HeldTask, lines: NewLines) =>
    callServer(runnerApiEndpoints.log, {
      params: { task_id: id },
      body: { lease, ...toSentLog(lines) },
    });
  return {
    recordProgress: (task, progress, isDryRun) =>
      send(task, { kind: 'progress', progress, dry_run: isDryRun }),
    recordHosts: (task, hosts) => send(task, { kind: 'hosts', hosts }),
    recordFacts: (task, hosts) => send(task, { kind: 'facts', hosts }),
    recordFailures: (task, failures) => send(task, { kind: 'failures', failures }),
    storeResults: async (task, from, results) =>
      (await report(task, { kind: 'results', from, results })).accepted,
    recordSections: (task, sections) => send(task, { kind: 'sections', sections }),
    recordPlan: (task, plan) => send(task, { kind: 'plan', plan }),
    recordOutputs: (task, outputs) => send(task, { kind: 'outputs', outputs }),
    sendPartialLine: (task, partial) => send(task, { kind: 'partial', ...partial }),
    openKeys: (task) => openKeys(callServer, task, { privateKey, publicKey }),
    // The server records the keys when it sends them.
    recordKeys: () => Promise.resolve(),
    park: async (task, why) =>
      (await report(task, { kind: 'move', to: 'waiting_confirmation', why })).accepted,
    end: (task, { to, exitCode, failure }) =>
      report(task, { kind: 'end', to, exit_code: exitCode, failure }).then(
        ({ accepted }) => accepted,
        (error: unknown) => {
          // The task has ended already: the response to an earlier request was lost.
          if (error instanceof RefusedRequestError && error.refusal === 'runner.task_taken')
            return false;
          throw error;
        },
      ),
    async beginStep(task, { step, commands, log: lines = null }) {
      const begun = { step, commands, log: lines && toSentLog(lines) };
      return (await report(task, { kind: 'step', ...begun })).accepted;
    },
    recordCommit: (task, commit) => send(task, { kind: 'commit', ...commit }),
    recordTools: (task, tools) => send(task, { kind: 'tools', tools }),
    async assignVersion(task) {
      const { type, startVersion } = task.snapshot;
      if (type !== 'build' || startVersion === null) return task.version;
      return (await report(task, { kind: 'version' })).version;
    },
    async storeLines(task, lines) {
      await log(task, lines);
    },
    countLines: async (task) => (await log(task, { from: 1, lines: [], spoolOffset: 0 })).total,
    async filterExisting(found) {
      const reply = await callServer(runnerApiEndpoints.filterExisting, { body: found });
      const { installation: _installation, ...kept } = reply;
      return kept;
    },
  };
}

async function openKeys(
  callServer: CallServer,
  { id, lease, sealed }: Pick<RunnerTask, 'id' | 'lease' | 'sealed'>,
  { privateKey, publicKey }: { privateKey: JWK; publicKey: PublicKey | null },
): Promise<RunKeys> {
  const request = { params: { task_id: id }, body: { lease, public_key: publicKey } };
  const given = sealed ?? (await callServer(runnerApiEndpoints.secrets, request)).sealed;
  return (await openSealed(privateKey, { task: id, lease }, given)) as RunKeys;
}

const toSentLog = ({ from, lines, spoolOffset }: NewLines): SentLog => ({
  from,
  lines: groupByTime(lines),
  spool_offset: spoolOffset,
});

/** Groups consecutive lines with the same time, as most have. */
function groupByTime(lines: LogLine[]): SentLines[] {
  const groups: SentLines[] = [];
  for (const { time, output } of lines) {
    const last = groups.at(-1);
    if (last?.time === time) last.outputs.push(output);
    else groups.push({ time, outputs: [output] });
  }
  return groups;
}

// Batches the reports that a run sends in the same tick into one request.

interface Batch {
  more: ProgressReport[];
  /** The replies to the first report and to `more`. */
  answers: Promise<ReportReply[]>;
}

type SendReport = (task: HeldTask, report: Report) => Promise<ReportReply>;

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
