// Why a run has failed: the reason that is stored, and the lines for the log.

import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { hostKeyWords } from '../git/failure.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { Mask } from '../log/mask.ts';
import type { TaskLimits } from '../programs/task-limits.ts';
import type { RunState } from '../progress/run-state.ts';
import type { ProgramResult } from '../supervisor/supervisor.ts';
import { ExecutionFailed } from '../execution/execution-failed.ts';
import { isDiskFull } from '../../node/fs/disk-full.ts';
import type { TaskControl } from './control.ts';
import { fullDiskWords } from './full-disk.ts';

interface FailedRun {
  task: RunnerTask;
  control: Pick<TaskControl, 'reason'>;
}

const MAX_REASON_LENGTH = 1000;
const MAX_HEADLINE_LENGTH = 300;

interface FailureEvidence {
  /** Why the program could not run in its container; null: it did, or has none. */
  container: Failure | null;
  isHostKeyWrong: boolean;
  /** The headline of the program's error message. */
  ownError: string | null;
  state: Pick<RunState, 'unanswered' | 'beyond'>;
  limits: TaskLimits;
}

export function failureOf(
  { task, control }: FailedRun,
  { exitCode, signal, isLost, reached }: ProgramResult,
  { isHostKeyWrong, ownError, state, limits, container }: FailureEvidence,
): Failure {
  const { path: program } = task.snapshot.program;
  if (control.reason === 'timeout') return timeoutOf(task);
  if (isLost || exitCode === null) return { code: 'failure.result_unknown', params: {} };
  if (reached.memory && limits.memoryMib > 0) {
    return { code: 'failure.memory_limit', params: { program, mib: limits.memoryMib } };
  }
  if (container) return container;
  if (reached.processes && limits.processes > 0) {
    return { code: 'failure.process_limit', params: { program, most: limits.processes } };
  }
  if (signal) return { code: 'failure.signal', params: { program, signal } };
  const [names, hosts] = [shownNames(state.unanswered()), shownNames(state.beyond())];
  if (names) return { code: 'failure.unanswered', params: { names } };
  if (hosts) return { code: 'failure.hosts_beyond', params: { hosts } };
  if (ownError !== null && !isHostKeyWrong) {
    const error = ownError.slice(0, MAX_HEADLINE_LENGTH);
    return { code: 'failure.program_error', params: { program, code: exitCode, error } };
  }
  const code = isHostKeyWrong ? 'failure.host_key' : 'failure.exit_code';
  return { code, params: { program, code: exitCode } };
}

const shownNames = (names: string[]): string => names.join(', ').slice(0, MAX_REASON_LENGTH);

const timeoutOf = ({ snapshot }: RunnerTask): Failure => ({
  code: 'failure.timeout',
  params: { seconds: snapshot.timeoutS },
});

/** Why a run failed that threw an error; null: it was stopped, or left to the next runner. */
export function errorFailure(
  { task, control }: FailedRun,
  error: unknown,
  mask: Mask,
): Failure | null {
  if (control.reason === 'timeout') return timeoutOf(task);
  if (control.reason) return null;
  if (isDiskFull(error)) return { code: 'failure.disk_full', params: {} };
  if (error instanceof ExecutionFailed) return maskFailure(error.failure, mask);
  const lines = errorText(error).split('\n').map(mask);
  const reason = lines.join('\n').slice(0, MAX_REASON_LENGTH);
  const code = task.status === 'running' ? 'failure.interrupted' : 'failure.preparation';
  return { code, params: { reason } };
}

const errorText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The last lines of the log of a run that threw an error. */
export function lastWords({ task, control }: FailedRun, error: unknown): string[] {
  const { reason } = control;
  if (reason === 'timeout') return [taskFailures.message(timeoutOf(task))];
  if (reason === 'stopped') return ['Stopped.'];
  if (reason === 'detached') return [];
  if (reason === 'pod') return ['The cluster ends the pod of this task.'];
  if (isDiskFull(error)) return [fullDiskWords.ended];
  return errorText(error).split('\n');
}

/** The lines of the log about the failure of a program. */
export function failureLines(
  failure: Failure,
  { isHostKeyWrong, isDiskFull: isFull }: { isHostKeyWrong: boolean; isDiskFull: boolean },
): string[] {
  const code = failure.code === 'failure.host_key' ? 'failure.exit_code' : failure.code;
  return [
    taskFailures.message({ ...failure, code }),
    ...(isHostKeyWrong ? hostKeyWords : []),
    ...(isFull ? [fullDiskWords.found] : []),
  ];
}

/** The lines of the log about processes that a stop had to kill, or may not have ended. */
export function stopLines(
  { isKilled, isLoose }: ProgramResult,
  { reason }: FailedRun['control'],
): string[] {
  return [...(isKilled ? [killedWords] : []), ...(reason && isLoose ? [looseWords] : [])];
}

const killedWords =
  'Some processes did not end within the time that they have after TERM, and were killed.';

const looseWords =
  'This machine has no control groups for tasks: a process that has left its session without the environment of the task may still run.';

/** The line about a background job that still ran at the end of its playbook. */
export const leftWords = ({ host, task }: { host: string; task: string }): string =>
  `The job that "${task}" began in the background of this server, for ${host}, still ran: it ends with this task (async with poll 0).`;

export const maskFailure = ({ code, params }: Failure, mask: Mask): Failure => ({
  code,
  params: maskParams(params, mask),
});

export const maskParams = (params: Params, mask: Mask): Params =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? mask(value) : value,
    ]),
  );
