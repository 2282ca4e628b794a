// The text of an alert, unescaped: names may contain markup, which each message format escapes.

import type { AlertError } from '#shared/catalogue/alert-errors.ts';
import type { DeliveryEvent } from '#shared/alerts.ts';
import type { Alert, AlertRun, AlertTask } from '#shared/api/alert-deliveries.ts';
import type { FailureGroup } from '#shared/api/run-results.ts';

/** The result of sending an alert to one recipient. */
export interface SendResult {
  /** The response status; null if there was none. */
  status: number | null;
  error: AlertError | null;
  /** Whether a retry is pointless. */
  isFinal: boolean;
  /** The Retry-After of the receiver, in seconds. */
  retryAfter: number | null;
}

/** A result without a retry. */
export const finalResult = (status: number | null, error: AlertError | null): SendResult => ({
  status,
  error,
  isFinal: true,
  retryAfter: null,
});

export type Mood = 'good' | 'bad' | 'neutral';

const outcomes: Record<DeliveryEvent, { words: string; mood: Mood }> = {
  failed: { words: 'failed', mood: 'bad' },
  recovered: { words: 'succeeded after a failure', mood: 'good' },
  succeeded: { words: 'succeeded', mood: 'good' },
  waiting: { words: 'waits for confirmation', mood: 'neutral' },
  stopped: { words: 'was stopped', mood: 'neutral' },
  started: { words: 'started', mood: 'neutral' },
};

export const moodOf = ({ event }: Alert): Mood =>
  event === 'test' ? 'neutral' : outcomes[event].mood;

// Control characters, and characters that change the direction of writing.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

const oneLine = (text: string): string => text.replace(controls, ' ').trim();

/** The title, in one line; `words` replaces the words of the event. */
export function titleOf(
  { event, project, task, workflow_run: run }: Alert,
  words?: string,
): string {
  if (event !== 'test' && run) return runTitle(event, run);
  if (event === 'test' || !task) return `Test alert of the project "${oneLine(project.name)}"`;
  const kind = task.dry_run ? 'Dry run' : 'Task';
  const where = task.no_hosts ? ', on no host' : '';
  return `${kind} #${task.id} of "${oneLine(task.template.name)}" ${words ?? outcomes[event].words}${where}`;
}

function runTitle(event: DeliveryEvent, { id, workflow, approval }: AlertRun): string {
  const words = approval
    ? `waits for the approval of "${oneLine(approval.name)}"`
    : outcomes[event].words;
  return `Run #${id} of workflow "${oneLine(workflow.name)}" ${words}`;
}

const MAX_LISTED = 3;
const MAX_MESSAGE_LENGTH = 200;
const MAX_LINE_LENGTH = 500;

const short = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters).toWellFormed()}…` : text;

/** Hosts, message and location of a failure, in one line. */
export function failureText({ hosts, host_count: count, ...failure }: FailureGroup): string {
  const { message, task, path, file_line: line } = failure;
  const shown = hosts.slice(0, MAX_LISTED).join(', ');
  const further = count > MAX_LISTED ? ` and ${count - MAX_LISTED} more` : '';
  const place = path === null ? [] : [line === null ? path : `${path}:${line}`];
  const where = [task, ...place].filter((part) => part !== '').join(', ');
  const said = short(message, MAX_MESSAGE_LENGTH);
  const text = `${shown}${further}: ${said}${where && ` (${where})`}`;
  return short(oneLine(text), MAX_LINE_LENGTH);
}

/** Host counts by their most severe result, and the first failures. */
function outcomeFacts({
  hosts,
  failures = [],
  no_hosts: isOnNone,
}: AlertTask): [name: string, value: string][] {
  const states = ['failed', 'unreachable', 'changed', 'ok'] as const;
  const counts = states.flatMap((state) => (hosts?.[state] ? [`${hosts[state]} ${state}`] : []));
  const groups = failures.slice(0, MAX_LISTED).map((group): [string, string] => {
    const name = group.state === 'unreachable' ? 'Unreachable' : 'Failed';
    return [name, failureText(group)];
  });
  const further = failures.length - groups.length;
  return [
    ['Hosts', isOnNone ? 'none' : counts.join(', ')],
    ...groups,
    ['Further failures', further > 0 ? String(further) : ''],
  ];
}

/** Failed nodes with their reasons, and the question of an approval. */
function runFacts(run: AlertRun): [name: string, value: string][] {
  const { workflow, failed_nodes: failed, approval } = run;
  const further = failed.length - MAX_LISTED;
  return [
    ['Workflow', workflow.name],
    ['Run', `#${run.id}`],
    ['Message', run.message],
    ['Status', approval ? 'waiting for an approval' : run.status],
    ['Started by', run.user],
    ['Duration', run.duration === null ? '' : durationText(run.duration)],
    ['Question', short(approval?.question ?? '', MAX_LINE_LENGTH)],
    ...failed.slice(0, MAX_LISTED).map(({ name, reason }): [string, string] => {
      const said = reason && `: ${reason}`;
      return ['Failed', short(`${name}${said}`, MAX_LINE_LENGTH)];
    }),
    ['Further failures', further > 0 ? String(further) : ''],
  ];
}

export interface Fact {
  name: string;
  value: string;
}

export function factsOf({ project, task, workflow_run: run }: Alert): Fact[] {
  const facts: [name: string, value: string][] = [['Project', project.name]];
  if (task) {
    facts.push(
      ['Template', task.template.name],
      [task.dry_run ? 'Dry run' : 'Task', `#${task.id}`],
      ['Message', task.message],
      ['Status', task.status.replaceAll('_', ' ')],
      ['Started by', task.user],
      ['Version', task.version ?? ''],
      ['Duration', task.duration === null ? '' : durationText(task.duration)],
      ...outcomeFacts(task),
    );
  } else if (run) {
    facts.push(...runFacts(run));
  } else {
    facts.push(['Message', 'Alerts of this channel arrive.']);
  }
  return facts
    .map(([name, value]) => ({ name, value: oneLine(value) }))
    .filter(({ value }) => value !== '');
}

export function durationText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return shown.join(' ') || '0 s';
}

export const linkedOf = ({ workflow_run: run }: Alert): 'log' | 'run' => (run ? 'run' : 'log');

/** Null when the public address is not configured. */
export function linkOf(
  { project, task, workflow_run: run }: Alert,
  publicUrl: string | null,
): string | null {
  if (publicUrl === null) return null;
  if (run) return `${publicUrl}/project/${project.id}/workflow_runs/${run.id}`;
  if (!task) return null;
  return `${publicUrl}/project/${project.id}/templates/${task.template.id}?t=${task.id}`;
}
