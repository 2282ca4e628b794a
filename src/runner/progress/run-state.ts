// Aggregates the events of a run: its current play and task, and the results of its hosts in the current play. Memory
// is limited, however long the run is.

import type { TaskProgress } from '#shared/api/tasks.ts';
import type { ResultState } from '#shared/api/run-results.ts';
import type { SetOutputs } from '../outputs/record-outputs.ts';
import type { OutputsEvent, RunEvent } from './events.ts';
import { keepMostSevere } from './severity.ts';
import { createSections, isPlaced } from './run-sections.ts';

const MAX_REMAINING = 100;

export type RunState = ReturnType<typeof createRunState>;

export function createRunState() {
  let begun: Pick<TaskProgress, 'play' | 'task' | 'tasks'> | null = null;
  let isDryRun = false;
  let isWithoutHosts = false;
  let unanswered: string[] = [];
  let beyond: string[] = [];
  const left: { host: string; task: string }[] = [];
  const ofPlay = new Map<string, ResultState>();
  let outputs: SetOutputs = [];
  const sections = createSections();
  const take = (event: RunEvent): void => {
    if (isPlaced(event)) sections.take(event);
    switch (event.event) {
      case 'play':
        begun = { play: event.name, task: '', tasks: begun?.tasks ?? 0 };
        ofPlay.clear();
        break;
      case 'next':
        begun = { play: begun?.play ?? '', task: event.name, tasks: (begun?.tasks ?? 0) + 1 };
        break;
      case 'result':
        keepMostSevere(ofPlay, event.host, event.state);
        sections.count(event);
        break;
      case 'left':
        if (left.length < MAX_REMAINING) left.push({ host: event.host, task: event.task });
        break;
      case 'unanswered':
        unanswered = event.names;
        break;
      case 'beyond':
        beyond = event.hosts;
        break;
      default:
        // Handled below or by other readers of the events.
        break;
    }
  };
  return {
    /** Returns the number of the current section; 0: none yet. */
    take(event: RunEvent): number {
      take(event);
      if (event.event === 'check') isDryRun = true;
      if (event.event === 'stats') isWithoutHosts = event.no_hosts;
      if (event.event === 'outputs') outputs = setOutputs(event);
      return sections.number();
    },
    /** Whether the program reports a dry run. */
    isDryRun: () => isDryRun,
    /** Whether the program reports that no host matched. */
    isWithoutHosts: () => isWithoutHosts,
    /** Null: no play has begun. */
    progress: (): TaskProgress | null => begun && { ...begun, ...severities(ofPlay) },
    current: sections.current,
    takeChanged: sections.takeChanged,
    /** Background jobs that still ran at the end. */
    left: () => left,
    /** The variables without answers, because of which the playbook did not start. */
    unanswered: () => unanswered,
    /** Hosts outside of the narrowed limit, because of which the playbook did not start. */
    beyond: () => beyond,
    /** Null: they exceed the limit. */
    outputs: () => outputs,
  };
}

function setOutputs({ values, secrets }: OutputsEvent): SetOutputs {
  const isSecret = new Set(secrets);
  return values && values.map(([name, value]) => ({ name, value, isSecret: isSecret.has(name) }));
}

/** Counts the hosts of a play by their most severe result; ignored and rescued failures count as ok. */
function severities(states: ReadonlyMap<string, ResultState>) {
  const counts = { ok: 0, changed: 0, failed: 0, unreachable: 0 };
  for (const state of states.values()) {
    if (state === 'changed' || state === 'failed' || state === 'unreachable') counts[state] += 1;
    else counts.ok += 1;
  }
  return counts;
}
