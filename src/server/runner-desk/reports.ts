// Notes what a runner reports of a task that it holds.

import type { Noted, Report } from '#shared/api/runner-desk.ts';
import type { Desk, HeldTask } from '../../runner/desk/desk.ts';
import { moveTask } from '../automation/tasks/tasks.ts';
import type { ShortHeldRow } from '../automation/tasks/runs/held-rows.store.ts';
import { findHeld, findShortHeld } from '../automation/tasks/runs/runner-tasks.ts';
import type { Context } from '../context/context.ts';
import { forRunner, requireHeld, unstored, type Hold } from './held-tasks.ts';
import { localDesk } from './local-desk.ts';

interface Reports {
  report: Report;
  /** What comes after it. */
  more: Report[];
}

/** Notes reports one after the other; the first one that fails ends it. */
export async function noteReports(
  ctx: Context,
  hold: Hold,
  { report, more }: Reports,
  onEnd: (templateId: number) => void,
): Promise<Noted & { more: Noted[] }> {
  const task = await requireHeld(ctx, hold, findShortHeld);
  const note = (one: Report): Promise<Noted> => noteReport(ctx, { ...hold, task }, one, onEnd);
  const first = await note(report);
  const later: Noted[] = [];
  for (const one of more) later.push(await note(one));
  return { ...first, more: later };
}

function noteReport(
  ctx: Context,
  { task, ...hold }: Hold & { task: ShortHeldRow },
  report: Report,
  onEnd: (templateId: number) => void,
): Promise<Noted> {
  const desk = localDesk(ctx);
  const noted = (accepted = true) => ({ accepted, version: null });
  return forRunner(ctx, async () => {
    switch (report.kind) {
      case 'move':
        // The first step says that a task runs. Earlier runners also said it before.
        return noted(
          report.to === 'running'
            ? await moveTask(ctx, task, 'running')
            : await desk.park(task, report.why),
        );
      case 'end': {
        const { to, exit_code: exitCode, failure } = report;
        const isEnded = await desk.end(task, { to, exitCode, failure });
        if (isEnded) onEnd(task.template_id);
        return noted(isEnded);
      }
      case 'step': {
        const log = report.log && (await unstored(task, report.log));
        return noted(await desk.beginStep(task, { ...report, log }));
      }
      case 'results':
        return noted(await desk.storeResults(task, report.from, report.results));
      case 'version':
        return {
          accepted: true,
          version: await desk.takeVersion(await requireHeld(ctx, hold, findHeld)),
        };
      default:
        await write(desk, task, report);
        return noted();
    }
  });
}

type Note = Exclude<Report['kind'], 'move' | 'end' | 'step' | 'results' | 'version'>;
type Told<Kind extends Note> = Extract<Report, { kind: Kind }>;

/** What is written down as it is told. */
const notes: {
  [Kind in Note]: (desk: Desk, task: HeldTask, told: Told<Kind>) => Promise<void>;
} = {
  commit: (desk, task, told) => desk.recordCommit(task, told),
  tools: (desk, task, { tools }) => desk.recordTools(task, tools),
  progress: (desk, task, { progress, dry_run: isDryRun }) =>
    desk.recordProgress(task, progress, isDryRun),
  partial: (desk, task, told) => desk.tellPartial(task, told),
  hosts: (desk, task, { hosts }) => desk.recordHosts(task, hosts),
  facts: (desk, task, { hosts }) => desk.recordFacts(task, hosts),
  failures: (desk, task, { failures }) => desk.recordFailures(task, failures),
  plan: (desk, task, { plan }) => desk.recordPlan(task, plan),
  outputs: (desk, task, { outputs }) => desk.recordOutputs(task, outputs),
  sections: (desk, task, { sections }) => desk.recordSections(task, sections),
};

function write(desk: Desk, task: HeldTask, told: Told<Note>): Promise<void> {
  const note = notes[told.kind] as (desk: Desk, task: HeldTask, told: Told<Note>) => Promise<void>;
  return note(desk, task, told);
}
