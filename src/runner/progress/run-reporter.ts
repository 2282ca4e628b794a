// Reports the events of a run to the runner API: progress, plays and tasks, results, hosts and failures. Everything is
// masked here, before it leaves the runner.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import type { ResultEvent, RunEvent } from './events.ts';
import { createResultStream } from './result-stream.ts';
import { createRunFailures } from './run-failures.ts';
import { createRunFacts } from './run-facts.ts';
import { createRunHosts, type FirstFailure } from './run-hosts.ts';
import { createRunState, type RunState } from './run-state.ts';
import { plainName, shownResult, withoutTexts, type RunMasks } from './shown-result.ts';
import { sendChanges } from './send-changes.ts';
import { sourceIn, type PlacedRun } from './shown-section.ts';
import { createRunLines, type LoggedRun } from './run-lines.ts';

const MAX_REASON_LENGTH = 1000;

export interface FollowedRun extends RunMasks, PlacedRun, LoggedRun {
  folder: string;
}

export interface RunReporter {
  state: RunState;
  /** `bytes`: the size of the event in the file. */
  take: (event: RunEvent, bytes: number) => Promise<void>;
  send: () => Promise<void>;
  close: () => Promise<void> | undefined;
}

export function createRunReporter(
  { runnerApi, log }: RunContext,
  task: RunnerTask,
  run: FollowedRun,
): RunReporter {
  const state = createRunState();
  const hosts = createRunHosts();
  const facts = createRunFacts(run, task.snapshot.hostFacts ?? []);
  const failures = createRunFailures();
  const stream = createResultStream({ runnerApi, log }, task);
  const lines = createRunLines(run);
  const name = (text: string): string => plainName(run.mask, text);

  const takeResult = async (event: ResultEvent, section: number, bytes: number): Promise<void> => {
    const { id, kept } = stream.number(bytes);
    const host = name(event.host);
    const isFailure = event.state === 'failed' || event.state === 'unreachable';
    if (kept === 'passed' && !isFailure) return hosts.add(host, event, null);
    const line = await (await lines.open()).resultLineOf(event, event.host);
    const shown = shownResult(run, host, event);
    const failure = failureIn(event, { id, line, message: shown.message }, name(taskName(state)));
    hosts.add(host, event, failure);
    if (failure) failures.add({ ...failure, ...sourceIn(state.current(), run) }, host);
    if (kept === 'passed' || section === 0) return;
    const result = kept === 'whole' ? shown : withoutTexts(shown);
    await stream.add({ id, section, line, ...result }, bytes);
  };

  return {
    state,
    async take(event, bytes) {
      const section = state.take(event);
      if (event.event === 'result') await takeResult(event, section, bytes);
      if (event.event === 'facts') facts.add(name(event.host), event);
      if (event.event !== 'stats') return;
      hosts.replace(event.hosts.map((one) => ({ ...one, host: name(one.host) })));
    },
    send: () => sendChanges({ runnerApi, task, run, lines, state, stream, failures, hosts, facts }),
    close: lines.close,
  };
}

const taskName = (state: RunState): string => state.current()?.name ?? '';

type Failing = FirstFailure & { message: string };

function failureIn(
  { state }: ResultEvent,
  { id, line, message }: { id: number; line: number | null; message: string },
  task: string,
): Failing | null {
  if (state !== 'failed' && state !== 'unreachable') return null;
  return {
    result: id,
    state,
    task,
    message: message.slice(0, MAX_REASON_LENGTH).toWellFormed(),
    line,
  };
}
