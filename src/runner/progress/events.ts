// The events that the callback plugin of Ansible writes into the progress file of a run, one in a line. A run that
// began before an update of the runner has the callback of the earlier version, so newer fields have defaults.

import { z } from 'zod';
import { resultStates } from '#shared/api/run-results.ts';
import type { OutputValue } from '#shared/api/task-outputs.ts';
import { hostResult } from '#shared/api/tasks.ts';

const name = z.string();
const size = z.number().int().min(0);
/** The position in the output after the event, and how many bytes before it were printed for the event. */
const place = { at: size, printed: size };

const MAX_HOSTS = 5000;
const MAX_ITEMS = 1000;
const MAX_DIFFS = 100;
/** Later times have another format. */
const lastTimeMs = 253_402_300_799_999;
const MAX_NUMBER = 2 ** 31 - 1;

const timeMs = z.number().int().min(0).max(lastTimeMs);
const number = z.number().int().min(0).max(MAX_NUMBER);
/** The callback cuts long texts: the beginning of a command's output, and the end of other texts. */
const text = z.union([z.string(), z.object({ cut: z.string() })]).default('');
export type ReportedText = z.output<typeof text>;

const content = {
  message: text,
  output: text,
  error_output: text,
  exit_code: z.number().int().min(-MAX_NUMBER).max(MAX_NUMBER).nullable().default(null),
  diffs: z
    .array(z.object({ name: text, text }))
    .max(MAX_DIFFS)
    .default([]),
};

const reportedItem = z.object({ item: text, state: z.enum(resultStates), ...content });
export type ReportedItem = z.output<typeof reportedItem>;

const result = z.object({
  event: z.literal('result'),
  host: name,
  state: z.enum(resultStates),
  changed: z.boolean(),
  at: size.default(0),
  printed: size.default(0),
  /** When it ended, and when the task began on the host; null: unknown. */
  time: timeMs.nullable().default(null),
  begin: timeMs.nullable().default(null),
  ms: number.catch(MAX_NUMBER).default(0),
  /** Whether the task includes others, which Ansible does not count. */
  is_include: z.boolean().default(false),
  ...content,
  delegated_to: name.nullable().default(null),
  tries: number.nullable().default(null),
  items: z
    .object({ ok: number, changed: number, failed: number, skipped: number })
    .nullable()
    .default(null),
  shown_items: z.array(reportedItem).max(MAX_ITEMS).default([]),
  is_hidden: z.boolean().default(false),
  is_cut: z.boolean().default(false),
});
export type ResultEvent = z.output<typeof result>;

/** An Ansible task, and where it is defined. */
const task = {
  name,
  ...place,
  /** Identifies the task in the run; empty: unknown. */
  id: name.default(''),
  time: timeMs.nullable().default(null),
  module: name.default(''),
  role: name.default(''),
  path: name.default(''),
  file_line: number.nullable().default(null),
};

// The line was parsed as JSON.
const value: z.ZodType<OutputValue> = z.any();
const values = z.array(z.tuple([name, value]));

const event = z.discriminatedUnion('event', [
  /** The run is a dry run (`--check`). */
  z.object({ event: z.literal('check') }),
  z.object({ event: z.literal('play'), name, ...place }),
  /** A task begins. Some strategies run several at once, whose results follow later. */
  z.object({ event: z.literal('next'), name }),
  z.object({ event: z.literal('task'), ...task }),
  z.object({ event: z.literal('handler'), ...task }),
  /** The heading of the last task was printed with its first result. */
  z.object({ event: z.literal('heading'), ...place }),
  result,
  /** The facts of a host by name, which replace earlier ones. */
  z.object({ event: z.literal('facts'), host: name, facts: z.record(z.string(), text) }),
  /** The outputs of the run as pairs of name and value, and the names of secrets. Null: too large. */
  z.object({ event: z.literal('outputs'), values: values.nullable(), secrets: z.array(name) }),
  z.object({ event: z.literal('recap'), ...place }),
  /** `no_hosts`: no play of the playbook has matched any host. */
  z.object({
    event: z.literal('stats'),
    hosts: z.array(hostResult),
    no_hosts: z.boolean().default(false),
  }),
  /** A background job that still ran at the end of the playbook. */
  z.object({ event: z.literal('left'), host: name, task: name }),
  /** The variables without answers, because of which the playbook did not start. */
  z.object({ event: z.literal('unanswered'), names: z.array(name).max(1000) }),
  z.object({ event: z.literal('beyond'), hosts: z.array(name).max(1000) }),
]);
export type RunEvent = z.output<typeof event>;
export type FactsEvent = Extract<RunEvent, { event: 'facts' }>;
export type OutputsEvent = Extract<RunEvent, { event: 'outputs' }>;

/** Null: the line is not a valid event, since the program may write anything into the file. */
export function parseEvent(line: string): RunEvent | null {
  try {
    const given = JSON.parse(line) as { hosts?: unknown };
    // Cut before validation, because errors for each of a million hosts would take long to build.
    if (Array.isArray(given.hosts)) given.hosts = given.hosts.slice(0, MAX_HOSTS);
    return event.parse(given);
  } catch {
    return null;
  }
}
