// The content of an alert as plain data. Users chose the names in it, so they may contain markup until
// the message for a receiver escapes them.

import type { AlertError, AlertEvent } from '#shared/alerts.ts';
import type { TaskStatus } from '#shared/task-status.ts';

export interface Alert {
  event: AlertEvent | 'test';
  time: string;
  project: { id: number; name: string };
  /** The task; null for a test. */
  task: AlertTask | null;
}

interface AlertTask {
  id: number;
  template: { id: number; name: string };
  status: TaskStatus;
  message: string;
  /** The user who launched the task; empty when no user did. */
  user: string;
  version: string | null;
  /** The duration in seconds. */
  duration: number | null;
}

/** What came of sending an alert to one recipient. */
export interface SendResult {
  /** What the server answered, as a number; null: nothing. */
  status: number | null;
  /** null: it has arrived. */
  error: AlertError | null;
  /** Another try would come to the same. */
  isFinal: boolean;
  /** Seconds that the server asks us to wait. */
  retryAfter: number | null;
}

/** Whether the alert is good news, bad news, or asks for an action. */
export type Mood = 'good' | 'bad' | 'neutral';

const outcomes: Record<AlertEvent, { words: string; mood: Mood }> = {
  failed: { words: 'failed', mood: 'bad' },
  recovered: { words: 'succeeded after a failure', mood: 'good' },
  succeeded: { words: 'succeeded', mood: 'good' },
  waiting: { words: 'waits for a confirmation', mood: 'neutral' },
  stopped: { words: 'was stopped', mood: 'neutral' },
};

export const moodOf = ({ event }: Alert): Mood =>
  event === 'test' ? 'neutral' : outcomes[event].mood;

// Line ends, other control characters, and characters that change the direction of writing.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** A text on one line, without invisible characters. */
const oneLine = (text: string): string => text.replace(controls, ' ').trim();

/** The title: what has happened, in one line. */
export function titleOf({ event, project, task }: Alert): string {
  if (event === 'test' || !task) return `Test alert of the project "${oneLine(project.name)}"`;
  return `Task #${task.id} of "${oneLine(task.template.name)}" ${outcomes[event].words}`;
}

export interface Fact {
  name: string;
  value: string;
}

/** The further lines of the message. */
export function factsOf({ project, task }: Alert): Fact[] {
  const facts: [name: string, value: string][] = [['Project', project.name]];
  if (task) {
    facts.push(
      ['Template', task.template.name],
      ['Task', `#${task.id}`],
      ['Message', task.message],
      ['Status', task.status.replaceAll('_', ' ')],
      ['Launched by', task.user],
      ['Version', task.version ?? ''],
      ['Duration', task.duration === null ? '' : durationText(task.duration)],
    );
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

/** The address of the task's log; null when the server does not know its own address. */
export function linkOf({ project, task }: Alert, publicUrl: string | null): string | null {
  if (publicUrl === null || !task) return null;
  return `${publicUrl}/project/${project.id}/templates/${task.template.id}?t=${task.id}`;
}
