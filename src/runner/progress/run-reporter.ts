// Tells the desk what a run has told of itself: progress, plays and tasks, results, hosts and failures.
// Everything is masked here, before it leaves the runner.

import { relative } from 'node:path';
import type { RunnerTask, TaskSection } from '#shared/api/runner-desk.ts';
import type { RunContext } from '../desk/desk.ts';
import type { ResultEvent, RunEvent } from './events.ts';
import { createResultStream } from './result-stream.ts';
import { createRunFailures } from './run-failures.ts';
import { createRunFacts } from './run-facts.ts';
import { createRunHosts, type FirstFailure } from './run-hosts.ts';
import type { RunSection } from './run-sections.ts';
import { createRunState, type RunState } from './run-state.ts';
import {
  plainName,
  shownResult,
  timeOf,
  withoutTexts,
  type RunMasks,
  type ShownResult,
} from './shown-result.ts';
import { countLinesBefore, openSpoolLines, type SpoolLines } from './spool-lines.ts';

const sectionsAtOnce = 500;
const hostsAtOnce = 500;
// Each may have fifty facts of a thousand characters, and a report has 8 MiB.
const factsAtOnce = 25;
const longestReason = 1000;

/** A run whose progress is reported. */
export interface FollowedRun extends RunMasks {
  /** The folder of the run. */
  folder: string;
  /** The folder of the files of the repository, without links in its path. */
  checkout: string;
  spool: string;
  /** The byte of the spool behind the stored lines, and how many lines the log has up to there. */
  from: number;
  lines: number;
}

export interface RunReporter {
  state: RunState;
  /** `bytes`: the size of the event in the file. */
  take: (event: RunEvent, bytes: number) => Promise<void>;
  /** Sends what has changed. */
  send: () => Promise<void>;
  close: () => Promise<void> | undefined;
}

export function createRunReporter(
  { desk, log }: RunContext,
  task: RunnerTask,
  run: FollowedRun,
): RunReporter {
  const state = createRunState();
  const hosts = createRunHosts();
  const facts = createRunFacts(run, task.snapshot.hostFacts ?? []);
  const failures = createRunFailures();
  const stream = createResultStream({ desk, log }, task);
  const lines = lazyLines(run);
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
    const told: ShownResult = kept === 'whole' ? shown : withoutTexts(shown);
    await stream.add({ id, section, line, ...told }, bytes);
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
    async send() {
      for (const some of piecesOf(state.takeChanged(), sectionsAtOnce)) {
        await desk.recordSections(task, await shownSections(some, run, lines));
      }
      await stream.send();
      const found = failures.takeChanged();
      if (found) await desk.recordFailures(task, found);
      for (const some of piecesOf(hosts.takeChanged(), hostsAtOnce)) {
        await desk.recordHosts(task, some);
      }
      for (const some of piecesOf(facts.takeChanged(), factsAtOnce)) {
        await desk.recordFacts(task, some);
      }
      const progress = state.progress();
      if (!progress) return;
      const { play, task: current } = progress;
      await desk.recordProgress(task, { ...progress, play: name(play), task: name(current) });
    },
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
  return { result: id, state, task, message: message.slice(0, longestReason).toWellFormed(), line };
}

/** The place of a task in the repository, masked. */
function sourceIn(section: RunSection | null, { mask, checkout }: FollowedRun) {
  const { module = '', role = '', path = '', fileLine = null } = section ?? {};
  const inside = path === '' ? '..' : relative(checkout, path);
  const isInside = inside !== '..' && !inside.startsWith('../');
  return {
    module: plainName(mask, module),
    role: plainName(mask, role),
    path: isInside ? plainName(mask, inside) : null,
    file_line: isInside ? fileLine : null,
  };
}

async function shownSections(
  sections: RunSection[],
  run: FollowedRun,
  lines: RunLines,
): Promise<TaskSection[]> {
  const all: TaskSection[] = [];
  for (const section of sections) {
    const line = await lines.ofSection(section);
    const { place: _place, path: _path, fileLine: _line, beginMs, endMs, ...rest } = section;
    const name = plainName(run.mask, section.name);
    const times = { begin: timeOf(beginMs), end: timeOf(endMs) };
    all.push({ ...rest, ...sourceIn(section, run), ...times, name, line });
  }
  return all;
}

function* piecesOf<T>(all: T[], length: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}

type RunLines = ReturnType<typeof lazyLines>;

/** The lines of the spool, which is opened when it is needed. */
function lazyLines({ spool, from, lines: stored }: FollowedRun) {
  let opened: SpoolLines | null = null;
  const ofSections = new Map<number, number>();
  const open = async (): Promise<SpoolLines> =>
    (opened ??= await openSpoolLines(spool, stored - (await countLinesBefore(spool, from))));
  return {
    open,
    async ofSection(section: RunSection): Promise<number> {
      if (section.place) {
        const line = await (await open()).lineOf(section.place, section.name);
        ofSections.set(section.number, line);
        section.place = null;
      }
      return ofSections.get(section.number) ?? 1;
    },
    close: () => opened?.close(),
  };
}
