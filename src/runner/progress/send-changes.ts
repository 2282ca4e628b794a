// Sends the desk what has changed of a run.

import type { RunnerTask, TaskSection } from '#shared/api/runner-desk.ts';
import type { Desk } from '../desk/desk.ts';
import { whenAllEnded } from '../system/when-all-ended.ts';
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
// Each may have fifty facts of a thousand characters, and a report has 8 MiB.
const factsAtOnce = 25;

interface Changing {
  desk: Desk;
  task: RunnerTask;
  run: PlacedRun;
  lines: RunLines;
  state: RunState;
  stream: Pick<ResultStream, 'send'>;
  failures: RunFailures;
  hosts: RunHosts;
  facts: RunFacts;
}

/** Settles when all calls have ended; throws if one has failed. */
export async function sendChanges(changing: Changing): Promise<void> {
  const sections = await sendLongSections(changing);
  // The results name their sections, which come first. All begin at once, to share a request.
  await whenAllEnded([
    sendSections(changing, sections),
    changing.stream.send(),
    sendFailures(changing),
    sendHosts(changing),
    sendProgress(changing),
  ]);
}

/** Sends the sections beyond what fits into one report, and answers those of the last one. */
async function sendLongSections(changing: Changing): Promise<TaskSection[]> {
  const { run, lines, state } = changing;
  let last: TaskSection[] = [];
  for (const some of piecesOf(state.takeChanged(), sectionsAtOnce)) {
    await sendSections(changing, last);
    last = await shownSections(some, run, lines);
  }
  return last;
}

async function sendSections({ desk, task }: Changing, sections: TaskSection[]): Promise<void> {
  if (sections.length > 0) await desk.recordSections(task, sections);
}

async function sendFailures({ desk, task, failures }: Changing): Promise<void> {
  const found = failures.takeChanged();
  if (found) await desk.recordFailures(task, found);
}

async function sendHosts({ desk, task, hosts, facts }: Changing): Promise<void> {
  for (const some of piecesOf(hosts.takeChanged(), hostsAtOnce)) {
    await desk.recordHosts(task, some);
  }
  // The facts of a host are noted beside what became of it.
  for (const some of piecesOf(facts.takeChanged(), factsAtOnce)) {
    await desk.recordFacts(task, some);
  }
}

async function sendProgress({ desk, task, run, state }: Changing): Promise<void> {
  const progress = state.progress();
  if (!progress) return;
  const name = (text: string): string => plainName(run.mask, text);
  const { play, task: current } = progress;
  const shown = { ...progress, play: name(play), task: name(current) };
  await desk.recordProgress(task, shown, state.isDryRun());
}

function* piecesOf<T>(all: T[], length: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}
