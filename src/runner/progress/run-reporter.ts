// Reports the events of a run to the runner API: progress, plays and tasks, results, hosts and failures. Everything is
// masked here, before it leaves the runner.

import type { RunnerTask, TaskSection } from '#shared/api/runner-api.ts';
import type { RunContext, RunnerApi } from '../api/runner-api.ts';
import type { ResultEvent, RunEvent } from './events.ts';
import { createResultStream, type ResultStream } from './result-stream.ts';
import { createRunFailures, type RunFailures } from './run-failures.ts';
import {
  createRunFacts,
  createRunHosts,
  type FirstFailure,
  type RunFacts,
  type RunHosts,
} from './run-hosts.ts';
import { createRunState, type RunState } from './run-state.ts';
import {
  plainName,
  shownResult,
  withoutTexts,
  type RunMasks,
  sourceIn,
  type PlacedRun,
  shownSections,
} from './shown-result.ts';
import { createRunLines, type LoggedRun, type RunLines } from './spool-lines.ts';
import { allSettledOrThrow } from '../../node/async/all-settled-or-throw.ts';

const MAX_REASON_LENGTH = 1000;

export interface FollowedRun extends RunMasks, PlacedRun, LoggedRun {
  folder: string;
}

export type RunReporter = ReturnType<typeof createRunReporter>;

export function createRunReporter(
  { runnerApi, log }: RunContext,
  task: RunnerTask,
  run: FollowedRun,
) {
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
    /** `bytes`: the size of the event in the file. */
    async take(event: RunEvent, bytes: number): Promise<void> {
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

// Reports what has changed in a run.

const sectionsAtOnce = 500;
const hostsAtOnce = 500;
// A host may have fifty facts of a thousand characters, and the limit of a report is 8 MiB.
const factsAtOnce = 25;

interface RunChanges {
  runnerApi: RunnerApi;
  task: RunnerTask;
  run: PlacedRun;
  lines: RunLines;
  state: RunState;
  stream: Pick<ResultStream, 'send'>;
  failures: RunFailures;
  hosts: RunHosts;
  facts: RunFacts;
}

/** Settles when all calls have settled; throws if one has failed. */
async function sendChanges(changing: RunChanges): Promise<void> {
  const sections = await sendLongSections(changing);
  // Results refer to sections, which are first in the request. All calls are made at once, to be batched.
  await allSettledOrThrow([
    sendSections(changing, sections),
    changing.stream.send(),
    sendFailures(changing),
    sendHosts(changing),
    sendProgress(changing),
  ]);
}

/** Sends all sections that do not fit into one report, and returns the remaining ones. */
async function sendLongSections(changing: RunChanges): Promise<TaskSection[]> {
  const { run, lines, state } = changing;
  let last: TaskSection[] = [];
  for (const some of piecesOf(state.takeChanged(), sectionsAtOnce)) {
    await sendSections(changing, last);
    last = await shownSections(some, run, lines);
  }
  return last;
}

async function sendSections(
  { runnerApi, task }: RunChanges,
  sections: TaskSection[],
): Promise<void> {
  if (sections.length > 0) await runnerApi.recordSections(task, sections);
}

async function sendFailures({ runnerApi, task, failures }: RunChanges): Promise<void> {
  const found = failures.takeChanged();
  if (found) await runnerApi.recordFailures(task, found);
}

async function sendHosts({ runnerApi, task, hosts, facts }: RunChanges): Promise<void> {
  for (const some of piecesOf(hosts.takeChanged(), hostsAtOnce)) {
    await runnerApi.recordHosts(task, some);
  }
  // Facts are stored in the rows of hosts.
  for (const some of piecesOf(facts.takeChanged(), factsAtOnce)) {
    await runnerApi.recordFacts(task, some);
  }
}

async function sendProgress({ runnerApi, task, run, state }: RunChanges): Promise<void> {
  const progress = state.progress();
  if (!progress) return;
  const name = (text: string): string => plainName(run.mask, text);
  const { play, task: current } = progress;
  const shown = { ...progress, play: name(play), task: name(current) };
  await runnerApi.recordProgress(task, shown, state.isDryRun());
}

function* piecesOf<T>(all: T[], length: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}
