// Reports what has changed in a run.

import type { RunnerTask, TaskSection } from '#shared/api/runner-api.ts';
import type { RunnerApi } from '../api/runner-api.ts';
import { allSettledOrThrow } from '../../node/async/all-settled-or-throw.ts';
import type { ResultStream } from './result-stream.ts';
import type { RunFacts } from './run-facts.ts';
import type { RunFailures } from './run-failures.ts';
import type { RunHosts } from './run-hosts.ts';
import type { RunLines } from './run-lines.ts';
import type { RunState } from './run-state.ts';
import { shownSections, type PlacedRun } from './shown-section.ts';
import { plainName } from './shown-result.ts';

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
export async function sendChanges(changing: RunChanges): Promise<void> {
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
