// Stores what a runner reports of a task that it holds.

import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';
import type { ReportReply, Report } from '#shared/api/runner-api.ts';
import type { HeldTask } from '../../runner/api/runner-api.ts';
import { updateFailures, upsertHosts } from '../automation/tasks/results/task-hosts.store.ts';
import { appendResults } from '../automation/tasks/results/result-chunks.store.ts';
import { endTask, moveTask } from '../automation/tasks/move-task.ts';
import { recordPlan } from '../automation/tasks/task-plan.ts';
import { upsertSections } from '../automation/tasks/log/sections.store.ts';
import type { ShortHeldRow } from '../automation/tasks/runs/held-rows.store.ts';
import { recordProgress } from '../automation/tasks/runs/progress.ts';
import { recordFacts, recordOutputs } from '../automation/tasks/runs/record-outputs.ts';
import {
  beginStep,
  findHeld,
  findShortHeld,
  recordCommit,
  recordTools,
  takeVersion,
} from '../automation/tasks/runs/runner-tasks.ts';
import type { Context } from '../context/context.ts';
import { asRunnerReply, requireHeld, findUnstoredLines, type TaskLease } from './held-tasks.ts';
import { shortPartial } from '../live/partials.ts';

interface ReportBatch {
  report: Report;
  /** The following reports. */
  more: Report[];
}

/** Stores reports in sequence, up to the first one that fails. */
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
  const noted = (accepted = true) => ({ accepted, version: null });
  return asRunnerReply(ctx, async () => {
    switch (report.kind) {
      case 'move':
        // The first step reports that a task runs. Older runners also report the move itself.
        return noted(
          report.to === 'running'
            ? await moveTask(ctx, task, 'running')
            : await park(ctx, task, report.why),
        );
      case 'end': {
        const { to, exit_code: exitCode, failure } = report;
        const isEnded = await endTask(ctx, task, to, { exitCode, failure });
        if (isEnded) onEnd(task.template_id);
        return noted(isEnded);
      }
      case 'step': {
        const log = report.log && (await findUnstoredLines(task, report.log));
        return noted(await beginStep(ctx, task, { ...report, log }));
      }
      case 'results':
        return noted(await appendResults(ctx.db, task, report.from, report.results));
      case 'version':
        return {
          accepted: true,
          version: await takeVersion(ctx, await requireHeld(ctx, hold, findHeld)),
        };
      default:
        await recordReport(ctx, task, report);
        return noted();
    }
  });
}

async function park(
  ctx: Context,
  task: HeldTask,
  why: ConfirmationReason | null,
): Promise<boolean> {
  const isParked = await moveTask(ctx, task, 'waiting_confirmation', why);
  // A task that waits for a confirmation occupies no slot.
  ctx.hub.publish('queue.changed', {});
  return isParked;
}

type RecordedKind = Exclude<Report['kind'], 'move' | 'end' | 'step' | 'results' | 'version'>;
type ReportOf<Kind extends RecordedKind> = Extract<Report, { kind: Kind }>;

type Recorder<Kind extends RecordedKind> = (
  ctx: Context,
  task: HeldTask,
  report: ReportOf<Kind>,
) => Promise<void>;

const recorders: { [Kind in RecordedKind]: Recorder<Kind> } = {
  commit: recordCommit,
  tools: (ctx, task, { tools }) => recordTools(ctx, task, tools),
  progress: (ctx, task, { progress, dry_run: isDryRun }) =>
    recordProgress(ctx, task, progress, isDryRun),
  async partial({ hub }, { id: taskId, project_id: projectId }, { after, output }) {
    hub.publish('log.partial-line', { projectId, taskId, after, output: shortPartial(output) });
  },
  hosts: ({ db }, task, { hosts }) => upsertHosts(db, task, hosts),
  facts: (ctx, task, { hosts }) => recordFacts(ctx, task, hosts),
  failures: ({ db }, task, { failures }) => updateFailures(db, task, failures),
  plan: (ctx, task, { plan }) => recordPlan(ctx, task, plan),
  outputs: (ctx, task, { outputs }) => recordOutputs(ctx, task, outputs),
  sections: ({ db }, task, { sections }) => upsertSections(db, task, sections),
};

function recordReport(ctx: Context, task: HeldTask, report: ReportOf<RecordedKind>): Promise<void> {
  const recorder = recorders[report.kind] as Recorder<RecordedKind>;
  return recorder(ctx, task, report);
}
