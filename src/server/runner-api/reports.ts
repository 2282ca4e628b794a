// Notes what a runner reports of a task that it holds.

import type { ReportReply, Report } from '#shared/api/runner-api.ts';
import type { RunnerApi, HeldTask } from '../../runner/api/runner-api.ts';
import { moveTask } from '../automation/tasks/tasks.ts';
import type { ShortHeldRow } from '../automation/tasks/runs/held-rows.store.ts';
import { findHeld, findShortHeld } from '../automation/tasks/runs/runner-tasks.ts';
import type { Context } from '../context/context.ts';
import { asRunnerReply, requireHeld, findUnstoredLines, type TaskLease } from './held-tasks.ts';
import { createDatabaseRunnerApi } from './database-runner-api.ts';

interface ReportBatch {
  report: Report;
  /** What comes after it. */
  more: Report[];
}

/** Notes reports one after the other; the first one that fails ends it. */
export async function processReports(
  ctx: Context,
  hold: TaskLease,
  { report, more }: ReportBatch,
  onEnd: (templateId: number) => void,
): Promise<ReportReply & { more: ReportReply[] }> {
  const task = await requireHeld(ctx, hold, findShortHeld);
  const note = (one: Report): Promise<ReportReply> =>
    processReport(ctx, { ...hold, task }, one, onEnd);
  const first = await note(report);
  const later: ReportReply[] = [];
  for (const one of more) later.push(await note(one));
  return { ...first, more: later };
}

function processReport(
  ctx: Context,
  { task, ...hold }: TaskLease & { task: ShortHeldRow },
  report: Report,
  onEnd: (templateId: number) => void,
): Promise<ReportReply> {
  const runnerApi = createDatabaseRunnerApi(ctx);
  const noted = (accepted = true) => ({ accepted, version: null });
  return asRunnerReply(ctx, async () => {
    switch (report.kind) {
      case 'move':
        // The first step says that a task runs. Earlier runners also said it before.
        return noted(
          report.to === 'running'
            ? await moveTask(ctx, task, 'running')
            : await runnerApi.park(task, report.why),
        );
      case 'end': {
        const { to, exit_code: exitCode, failure } = report;
        const isEnded = await runnerApi.end(task, { to, exitCode, failure });
        if (isEnded) onEnd(task.template_id);
        return noted(isEnded);
      }
      case 'step': {
        const log = report.log && (await findUnstoredLines(task, report.log));
        return noted(await runnerApi.beginStep(task, { ...report, log }));
      }
      case 'results':
        return noted(await runnerApi.storeResults(task, report.from, report.results));
      case 'version':
        return {
          accepted: true,
          version: await runnerApi.assignVersion(await requireHeld(ctx, hold, findHeld)),
        };
      default:
        await recordReport(runnerApi, task, report);
        return noted();
    }
  });
}

type RecordedKind = Exclude<Report['kind'], 'move' | 'end' | 'step' | 'results' | 'version'>;
type ReportOf<Kind extends RecordedKind> = Extract<Report, { kind: Kind }>;

/** What is written down as it is told. */
const recorders: {
  [Kind in RecordedKind]: (
    runnerApi: RunnerApi,
    task: HeldTask,
    told: ReportOf<Kind>,
  ) => Promise<void>;
} = {
  commit: (runnerApi, task, told) => runnerApi.recordCommit(task, told),
  tools: (runnerApi, task, { tools }) => runnerApi.recordTools(task, tools),
  progress: (runnerApi, task, { progress, dry_run: isDryRun }) =>
    runnerApi.recordProgress(task, progress, isDryRun),
  partial: (runnerApi, task, told) => runnerApi.sendPartialLine(task, told),
  hosts: (runnerApi, task, { hosts }) => runnerApi.recordHosts(task, hosts),
  facts: (runnerApi, task, { hosts }) => runnerApi.recordFacts(task, hosts),
  failures: (runnerApi, task, { failures }) => runnerApi.recordFailures(task, failures),
  plan: (runnerApi, task, { plan }) => runnerApi.recordPlan(task, plan),
  outputs: (runnerApi, task, { outputs }) => runnerApi.recordOutputs(task, outputs),
  sections: (runnerApi, task, { sections }) => runnerApi.recordSections(task, sections),
};

function recordReport(
  runnerApi: RunnerApi,
  task: HeldTask,
  told: ReportOf<RecordedKind>,
): Promise<void> {
  const note = recorders[told.kind] as (
    runnerApi: RunnerApi,
    task: HeldTask,
    told: ReportOf<RecordedKind>,
  ) => Promise<void>;
  return note(runnerApi, task, told);
}
