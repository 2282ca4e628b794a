// Executes a task; read this file first.
//   claimed → keys opened (and masked from here on) → workspace → files of the repository
//   → the steps of its app, each a program under a supervisor with its lines in the log
//   → log stored → status from the result → everything of the run removed, whatever happened.
// Tasks of an earlier runner are resumed: if their supervisor has started, this runner reads its output on; if not,
// no program has run, and the step begins again. A task that was confirmed between two steps is resumed too.
// A stopped task ends as stopped, never as failed.

import { isDiskFull } from '../../node/fs/disk-full.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import { isFull } from '../../node/fs/disk-space.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';
import { taskFailures } from '#shared/catalogue/task-failures.ts';
import { finalVerdict, type NumberedStep, type Step } from '../apps/app.ts';
import { releaseStates } from '../apps/terraform-backend.ts';
import { stepsOf } from '../apps/steps.ts';
import { createBackground } from './background.ts';
import { cleanUp, parkTask } from './clean-up.ts';
import type { TaskControl } from './control.ts';
import type { RunContext, RunEnd } from '../api/runner-api.ts';
import {
  errorFailure,
  failureLines,
  failureOf,
  lastWords,
  leftWords,
  maskFailure,
  maskParams,
  stopLines,
} from './failures.ts';
import { fullDiskWords, giveUpSpool, onceItCanBe, orFilledDisk } from './full-disk.ts';
import { limitsOf, createSupervisors } from './supervisors.ts';
import { endWithoutHosts, withLeftStates } from './left-states.ts';
import { noteFiles } from './run-notes.ts';
import { allSettledOrThrow } from '../../node/async/all-settled-or-throw.ts';
import { keepKnown, knownSecrets } from '../workspace/known-secrets.ts';
import { createGrowingMask, maskError, type Mask } from '../log/mask.ts';
import { recordOutputs } from '../outputs/record-outputs.ts';
import { isRemovedRunner } from '../client/server-client.ts';
import { followProgram } from './follow-program.ts';
import { recordPlan } from './record-plan.ts';
import { fetchFiles } from '../prepare/prepare.ts';
import { takeUser } from '../workspace/run-users.ts';
import { shownCommand } from '../programs/shell.ts';
import { findBegun } from '../supervisor/supervisor.ts';
import { createTaskLog, type TaskLog } from '../log/task-log.ts';
import { listTries, type Workspace } from '../workspace/workspace.ts';
import { findPlace, makePlace } from './run-workspace.ts';
import type { Run, RunWorkspace } from './run.ts';
import { filePreparationOf, openExecution, preparationOf, type OpenedRun } from './preparation.ts';
import type { Execution } from '../execution/execution.ts';
import { containerFailure, recordImage, shareMirrors } from './open-container.ts';
import { withinTimeLimit } from './time-limit.ts';

/** `Parked`: the task waits for a confirmation, in no slot. `detached`: the next runner resumes it. */
type Outcome = Parked | 'detached' | RunEnd;

interface Parked {
  to: 'parked';
  /** Why the task must be confirmed although it was approved; null: it was not. */
  why: ConfirmationReason | null;
}

const stopped: RunEnd = { to: 'stopped', exitCode: null, failure: null };
const failed = (failure: RunEnd['failure'], exitCode: number | null = null): RunEnd => ({
  to: 'error',
  exitCode,
  failure,
});

/** Settles when the task has ended, is parked, or was left to the next runner. */
export async function runTask(
  ctx: RunContext,
  task: RunnerTask,
  control: TaskControl,
): Promise<void> {
  let outcome: Outcome = failed(null);
  let mask: Mask = (line) => line;
  let log = createTaskLog(ctx, task, mask);
  const supervisors = createSupervisors({ ctx, task });
  // The workspace is made while the server opens the keys. Both are awaited below, with their errors.
  const opened = ctx.runnerApi.openKeys(task);
  const place = findPlace({ ctx, task, control, supervisors });
  for (const begun of [opened, place]) begun.catch(() => undefined);
  try {
    const keys = await opened;
    const secrets = await knownSecrets(ctx, task, keys);
    const growing = createGrowingMask(secrets);
    mask = growing.mask;
    log = createTaskLog(ctx, task, mask);
    const background = createBackground(ctx, control.signal);
    const shared = { ...growing, secrets, log, background };
    const run = { ctx, task, keys, control, supervisors, place, ...shared };
    outcome = await background.during(() => withinTimeLimit(run, () => runSteps(run)));
  } catch (cause) {
    const error = await orFilledDisk(ctx, task, cause);
    // The program continues. The task is resumed when the server is reachable and can store.
    if (isServerUnavailable(error)) {
      log.giveUp(error);
      releaseStates(ctx.config, task.id);
      throw error;
    }
    if (isDiskFull(error)) log = await giveUpSpool(ctx, task, mask);
    outcome = outcomeOf({ task, control }, error, mask);
    await log.say(lastWords({ task, control }, error)).catch(() => undefined);
    const err = maskError(error, mask);
    ctx.log.info({ err, taskId: task.id }, 'task failed before its end');
  }
  releaseStates(ctx.config, task.id);
  if (outcome !== 'detached' && outcome.to !== 'parked') {
    outcome = await withLeftStates({ ctx, task, log }, outcome);
  }
  await log.flush().catch(async (cause: unknown) => {
    const error = await orFilledDisk(ctx, task, cause);
    if (isServerUnavailable(error)) throw error;
    // At least the end of the task and its reason must be stored.
    if (isDiskFull(error)) await endLog(await giveUpSpool(ctx, task, mask));
    ctx.log.error({ err: error, taskId: task.id }, 'the last lines of a task were not stored');
  });
  if (outcome === 'detached') return;
  if (outcome.to === 'parked') {
    if (await parkTask(ctx, task, outcome.why)) return;
    outcome = stopped;
  }
  // Recorded after the last line, so that clients that see the end have all lines. The folder is removed afterwards,
  // because a running task without its folder would begin again in the next runner.
  await recordEnd({ ctx, task, control }, outcome);
  await attempt(ctx, async () => {
    await place.catch(() => undefined);
    await supervisors.dismiss();
    await cleanUp(ctx, task);
  });
}

async function recordEnd(
  { ctx, task, control }: Pick<Run, 'ctx' | 'task' | 'control'>,
  end: RunEnd,
): Promise<void> {
  try {
    await onceItCanBe(ctx, control.detached, () => ctx.runnerApi.end(task, end));
  } catch (error) {
    // The server has ended the tasks of a runner that it has removed.
    if (!isRemovedRunner(error)) throw error;
  }
}

function outcomeOf(run: Pick<Run, 'task' | 'control'>, error: unknown, mask: Mask): Outcome {
  const { reason } = run.control;
  if (reason === 'detached') return 'detached';
  return reason === 'stopped' ? stopped : failed(errorFailure(run, error, mask));
}

async function endLog(log: TaskLog): Promise<void> {
  await log.say([fullDiskWords.ended]);
  await log.flush().catch(() => undefined);
}

/** A step whose program was started, by this runner or an earlier one. */
interface Begun {
  number: number;
  folder: string;
}

async function runSteps(given: Run): Promise<Outcome> {
  const steps = stepsOf(given.task.snapshot.app);
  const place = await given.place;
  const left = place.isLeft ? await takeOver(given, place.workspace) : null;
  const opened = left ?? (await prepare(given, place));
  const { step: current } = opened.run.task;
  let begun = left?.begun ?? (await nextStep(opened, left ? { from: current } : null));
  while (begun !== 'stopped' && begun !== null) {
    const { number } = begun;
    const step = steps.find((one) => one.number === number);
    if (!step) throw new Error('The app of this task has changed with the version of the server.');
    const end = await followStep(opened, begun, step);
    if (end !== 'go on') return end;
    begun = await nextStep(opened, { after: number });
  }
  return begun === 'stopped' ? stopped : { to: 'success', exitCode: 0, failure: null };
}

/** Resumes a run of an earlier runner, or of this one before a confirmation; null: nothing has started. */
async function takeOver(
  run: Run,
  workspace: Workspace,
): Promise<(OpenedRun & { begun: Begun | null }) | null> {
  const { ctx, task, log, control } = run;
  // While it was parked, its files belonged to the runner.
  if (!workspace.user) {
    const user = await takeUser(ctx.config, control.signal);
    if (user) await workspace.give(user);
  }
  await keepKnown(workspace, run.secrets);
  const folder = await findBegun(await listTries(workspace, task.step));
  const begun = folder === null ? null : { number: task.step, folder };
  // This step begins again with the results of earlier ones. A first step needs a new folder.
  if (begun !== null || task.step > 1) {
    const execution = await openExecution(run, workspace);
    recordImage(run, execution);
    await shareMirrors(run, execution);
    return { run, workspace, execution, begun };
  }
  await cleanUp(ctx, task);
  await log.say(['The server was restarted before the program began. Beginning again.']);
  return null;
}

/** Checks out the files of the run. */
async function prepare(run: Run, place: RunWorkspace): Promise<OpenedRun> {
  const { ctx, task, log, control } = run;
  control.signal.throwIfAborted();
  const { workspace, execution: early } = place.isLeft ? await makePlace(run) : place;
  const where = task.runner_name && `, on the server ${task.runner_name}`;
  await log.say([`Task ${task.id}: ${task.snapshot.templateName}${where}`]);
  if (task.attempt > 1) await log.say([`Attempt ${task.attempt} of ${task.attempts}`]);
  await ctx.runnerApi.recordKeys(task);
  const [commit, execution] = await allSettledOrThrow([
    fetchFiles(filePreparationOf(run, workspace)),
    early ? Promise.resolve(early) : openFirst(run, workspace),
    keepKnown(workspace, run.secrets),
  ]);
  recordImage(run, execution);
  await shareMirrors(run, execution);
  await noteFiles(workspace, task);
  // Afterwards, so that a build whose files could not be fetched uses up no version.
  const version = await ctx.runnerApi.assignVersion(task);
  const known = { ...task, version, commit_hash: commit?.hash ?? null, commands: [] };
  return { run: { ...run, task: known }, workspace, execution };
}

/** Starting a container takes longer than fetching the files, so that of the first step begins to start now. */
async function openFirst(run: Run, workspace: Workspace): Promise<Execution> {
  const execution = await openExecution(run, workspace);
  if (!execution.relayFor) return execution;
  await shareMirrors(run, execution);
  run.supervisors.startFirst(workspace, execution);
  return execution;
}

/** The number of the step at which or after which a run continues; null: the first step. */
type StepPosition = { from: number } | { after: number } | null;

function stepsFrom(app: string, where: StepPosition): NumberedStep[] {
  const steps = stepsOf(app);
  if (where === null) return steps;
  const known = 'from' in where ? where.from : where.after;
  const index = steps.findIndex(({ number }) => number === known);
  return index < 0 ? [] : steps.slice('from' in where ? index : index + 1);
}

/** Starts the next step that has a command; null: none is left. */
async function nextStep(opened: OpenedRun, where: StepPosition): Promise<Begun | null | 'stopped'> {
  const { run, workspace } = opened;
  const { ctx, task, mask, log, control } = run;
  for (const { number, ...step } of stepsFrom(task.snapshot.app, where)) {
    const command = await step.command(preparationOf(opened));
    if (!command) continue;
    control.signal.throwIfAborted();
    const shown = shownCommand(command, mask);
    if (task.commands.at(-1) !== shown) task.commands.push(shown);
    const { folder, start, limitLines } = await run.supervisors.of(
      workspace,
      number,
      opened.execution,
    );
    if (task.commands.length === 1) await log.say(limitLines);
    const report = { step: number, commands: task.commands };
    // All lines so far belong to the spool of the previous step.
    const begin = log.storeWith((lines) =>
      ctx.runnerApi.beginStep(task, { ...report, log: lines }),
    );
    if (!(await begin)) return 'stopped';
    task.status = 'running';
    await log.say(`Command: ${shown}`.split('\n'), 0);
    await start(command);
    // The engine of containers does one thing after the other, so what asks it waits for the first lines.
    if (!opened.execution.relayFor) run.background.hasStarted();
    return { number, folder };
  }
  return null;
}

async function followStep(
  opened: OpenedRun,
  { number, folder }: Begun,
  step: Step,
): Promise<Outcome | 'go on'> {
  const { run, workspace } = opened;
  const { ctx, task, log, control, mask } = run;
  const { errorIn } = step;
  const followed = await followProgram(run, workspace, { number, folder, errorIn });
  if (!followed) return 'detached';
  const { result, state, isHostKeyWrong, ownError } = followed;
  run.background.hasStarted();
  const preparation = preparationOf(opened);
  const { hide } = preparation;
  const recording = { ctx, task, workspace, mask, hide, isLater: number > 1 };
  const wrong = await recordOutputs(recording, state.outputs());
  await log.say(state.left().map(leftWords));
  if (wrong) await log.say([taskFailures.message(wrong)]);
  await log.say(stopLines(result, control));
  if (control.reason === 'stopped') {
    await log.say(['Stopped.']);
    return stopped;
  }
  const exitCode = control.reason === 'timeout' ? null : result.exitCode;
  const { verdict, why } =
    exitCode === null ? noCode : await finalVerdict(step, exitCode, { preparation, task });
  if (verdict === 'failure') {
    const isDisk = isFull(ctx.config);
    const failure = failureOf(run, result, {
      isHostKeyWrong,
      ownError,
      state,
      limits: limitsOf(run),
      container: containerFailure(result, task.snapshot),
    });
    await log.say(failureLines(failure, { isHostKeyWrong, isDiskFull: isDisk }));
    return failed(maskFailure(failure, mask), result.exitCode);
  }
  if (wrong) return failed(maskFailure(wrong, mask), exitCode);
  if (state.isWithoutHosts()) return endWithoutHosts(run, exitCode);
  if (step.plan) await recordPlan(preparation, step.plan, exitCode, mask);
  const words = step.words?.[verdict];
  if (words) await log.say([words]);
  if (verdict === 'success') return { to: 'success', exitCode, failure: null };
  if (verdict === 'ask')
    return { to: 'parked', why: why && { ...why, params: maskParams(why.params, mask) } };
  return verdict;
}

const noCode = { verdict: 'failure', why: null } as const;

async function attempt(ctx: RunContext, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    ctx.log.error({ err: error }, 'cleanup after a task failed');
  }
}
