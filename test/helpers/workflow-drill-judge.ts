// Judges a drill of workflows by what the API answers about the runs and their tasks, and by the file
// in which each command has noted that it began.

import type { Task } from '#shared/api/tasks.ts';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import { isFinished } from '#shared/task-status.ts';
import type { Answers } from './drill-servers.ts';
import { modelEnd, settle, type States } from './slow-workflow.ts';

/** Each count must be zero. */
export interface WorkflowCounts {
  /** Confirmed runs that are not there, and steps that had to be taken and were not. */
  lost: number;
  /** Runs and tasks that have not ended. */
  stuck: number;
  /** Runs, tasks and commands that exist once too often. */
  doubled: number;
}

export interface DrillObservations {
  runs: WorkflowRun[];
  tasks: Task[];
  /** The task of each command that has begun. */
  noted: number[];
  /** The answers to each launch, by the message of its run. */
  launched: Map<string, Answers>;
}

interface Judged {
  counts: WorkflowCounts;
  findings: string[];
}

type Add = (what: keyof WorkflowCounts, text: string) => void;

export function judge({ runs, tasks, noted, launched }: DrillObservations): Judged {
  const counts: WorkflowCounts = { lost: 0, stuck: 0, doubled: 0 };
  const findings: string[] = [];
  const add: Add = (what, text) => {
    counts[what] += 1;
    findings.push(text);
  };
  judgeLaunches(runs, launched, add);
  for (const run of runs) {
    if (run.end === null) add('stuck', `run ${run.id} is ${run.status}: ${statesOf(run)}`);
    else judgeRun(run, tasks, add);
  }
  const times = new Map<number, number>();
  for (const id of noted) times.set(id, (times.get(id) ?? 0) + 1);
  for (const { id, status } of tasks) {
    const begun = times.get(id) ?? 0;
    if (!isFinished(status)) add('stuck', `task ${id} is ${status}`);
    if (begun > 1) add('doubled', `the command of task ${id} began ${begun} times`);
    if (begun === 0 && status === 'success')
      add('lost', `task ${id} succeeded without its command`);
  }
  return { counts, findings };
}

function judgeLaunches(
  runs: WorkflowRun[],
  launched: DrillObservations['launched'],
  add: Add,
): void {
  for (const [message, { answered, unanswered }] of launched) {
    const made = runs.filter((run) => run.message === message);
    for (const id of answered) {
      if (!made.some((run) => run.id === id)) add('lost', `run ${id} is not there`);
    }
    if (answered.length === 0) add('lost', `${message} was never answered`);
    if (made.length > answered.length + unanswered) {
      add('doubled', `${message}: ${made.length} runs`);
    }
  }
}

const statesOf = ({ nodes }: WorkflowRun): string =>
  nodes.map(({ key, state }) => `${key} ${state}`).join(', ');

function judgeRun(run: WorkflowRun, tasks: Task[], add: Add): void {
  const { graph, nodes } = run;
  const expected: States = Object.fromEntries(nodes.map(({ key }) => [key, 'idle' as const]));
  // Each round ends what is active as it has ended in the run.
  for (let begun = settle(graph, expected, false); begun.length > 0;) {
    for (const key of begun) expected[key] = endOf(run, tasks, key);
    begun = settle(graph, expected, false);
  }
  const states = Object.fromEntries(nodes.map(({ key, state }) => [key, state]));
  if (JSON.stringify(states) !== JSON.stringify(expected)) {
    add('lost', `run ${run.id}: ${statesOf(run)}; expected ${JSON.stringify(expected)}`);
  }
  const end = modelEnd(graph, expected, false);
  if (run.status !== end) add('lost', `run ${run.id} is ${run.status}, expected ${end}`);
  const own = tasks.filter((task) => task.workflow_run_id === run.id);
  const ids = nodes.flatMap(({ task_id: id }) => id ?? []);
  for (const { id } of own) {
    if (!ids.includes(id)) add('doubled', `task ${id} of run ${run.id} belongs to no node`);
  }
}

/** How a node ends of which the run says that it has begun: as its task, or well if it waits. */
function endOf({ graph, nodes }: WorkflowRun, tasks: Task[], key: string): 'success' | 'failure' {
  if (graph.nodes.find((node) => node.key === key)?.type !== 'template') return 'success';
  const id = nodes.find((node) => node.key === key)?.task_id;
  return tasks.find((task) => task.id === id)?.status === 'success' ? 'success' : 'failure';
}
