// The results of the tasks of an Ansible run on each host, and its failures by cause. Runners report them during the run.

import { z } from 'zod';
import { numberParam, time } from '../fields.ts';
import { endpoint } from './endpoint.ts';

const count = z.number().int().min(0);
/** A line number of the log; null: nothing was printed. */
const logLine = count.nullable();

/** The results of a task on a host, the most severe last. */
export const resultStates = [
  'skipped',
  'ok',
  'changed',
  'ignored',
  'rescued',
  'failed',
  'unreachable',
] as const;
export type ResultState = (typeof resultStates)[number];
const resultState = z.enum(resultStates);

/** The number of tasks of a host or section by result. */
export const resultCounts = {
  ok: count,
  changed: count,
  unreachable: count,
  failed: count,
  skipped: count,
  /** Failed, and handled by the rescue section of a block. */
  rescued: count,
  /** Failed or unreachable, and ignored by the playbook. */
  ignored: count,
};
export const resultCountNames = Object.keys(resultCounts) as (keyof typeof resultCounts)[];

const difference = z.object({
  /** Ansible's name of what was changed, mostly the path of a file; empty: none. */
  name: z.string(),
  /** In the unified format, without a header. */
  text: z.string(),
});

/** The masked result of a task, or of an item of its loop. */
const told = {
  state: resultState,
  message: z.string(),
  /** The ends of the standard output and error output of its command. */
  output: z.string(),
  error_output: z.string(),
  exit_code: z.number().int().nullable(),
  diffs: z.array(difference),
};

const resultItem = z.object({ item: z.string(), ...told });

/** The result of an Ansible task on one host. */
export const runResult = z.object({
  /** Its number in the run, from 1, in the order of the reports. */
  id: z.number().int().min(1),
  host: z.string(),
  /** The number of its section. */
  section: z.number().int().min(1),
  /** When the task began on the host; null: unknown. */
  begin: time.nullable(),
  duration_ms: count,
  line: logLine,
  ...told,
  /** Whether something was changed, also before a failure. */
  changed: z.boolean(),
  /** The host to which the task was delegated; null: none. */
  delegated_to: z.string().nullable(),
  /** The number of attempts of a task with retries; null: no retries. */
  tries: count.nullable(),
  /** The number of items of a loop by result; null: no loop. */
  items: z.object({ ok: count, changed: count, failed: count, skipped: count }).nullable(),
  /** The failed and changed items. */
  shown_items: z.array(resultItem),
  /** Whether the playbook hides the result (`no_log`). */
  is_hidden: z.boolean(),
  /** Whether texts or items were cut because of their size. */
  is_cut: z.boolean(),
});
export type RunResult = z.output<typeof runResult>;

/** Where an Ansible task is defined in the repository. */
const source = {
  /** The module or action, such as `ansible.builtin.copy`. */
  module: z.string(),
  /** Empty: not of a role. */
  role: z.string(),
  /** Null: outside of the repository. */
  path: z.string().nullable(),
  file_line: count.nullable(),
};

/** The fields of a section in addition to its heading and counts. */
export const sectionSource = {
  ...source,
  /** The number of the first section with the same task of the same play; mostly its own number. */
  first: z.number().int().min(1),
  /** When the task began on its first host, and when its last result was reported. */
  begin: time.nullable(),
  end: time.nullable(),
};

export const firstFailure = z.object({
  /** The number of the result. */
  result: z.number().int().min(1),
  state: z.enum(['failed', 'unreachable']),
  task: z.string(),
  message: z.string(),
  line: logLine,
});

export const runHost = z.object({
  host: z.string(),
  ...resultCounts,
  /** When its first task began, and when its last result was reported. */
  begin: time.nullable(),
  end: time.nullable(),
  /** The duration of its tasks, without waiting for other hosts. */
  duration_ms: count,
  /** Null: no failure, except rescued and ignored ones. */
  first_failure: firstFailure.nullable(),
});
export type RunHost = z.output<typeof runHost>;

/** Hosts that failed for the same reason in the same task, without rescued and ignored failures. */
export const failureGroup = z.object({
  state: z.enum(['failed', 'unreachable']),
  task: z.string(),
  ...source,
  message: z.string(),
  /** Its first result, and the line of the log for it. */
  result: z.number().int().min(1),
  line: logLine,
  /** The names of the first hosts; `host_count` is the number of all. */
  hosts: z.array(z.string()),
  host_count: count,
});
export type FailureGroup = z.output<typeof failureGroup>;

/** The number of hosts of a run by their most severe result. */
export const hostCounts = z.object({
  /** Neither changed nor failed, including skipped hosts. */
  ok: count,
  changed: count,
  failed: count,
  unreachable: count,
  total: count,
});
export type HostCounts = z.output<typeof hostCounts>;

export interface RunOutcome {
  hosts: HostCounts;
  failures: FailureGroup[];
}

/** The address of a file at the git host; null: unknown. */
const fileUrl = { file_url: z.string().nullable() };

export const shownFailure = failureGroup.extend(fileUrl);
export type ShownFailure = z.output<typeof shownFailure>;

/** An Ansible task in a run, with its results on all hosts. */
const playTask = z.object({
  section: z.number().int().min(1),
  /** The numbers of all of its sections. */
  sections: z.array(z.number().int().min(1)),
  kind: z.enum(['task', 'handler']),
  name: z.string(),
  play: z.string(),
  ...source,
  ...fileUrl,
  line: z.number().int(),
  ...resultCounts,
  begin: time.nullable(),
  end: time.nullable(),
  /** From its start on the first host to its end on the last one. */
  duration_ms: count,
});
export type PlayTask = z.output<typeof playTask>;

const playTasks = z.object({
  tasks: z.array(playTask),
  /** False: there are more than 10,000 sections. */
  is_complete: z.boolean(),
});
export type PlayTasks = z.output<typeof playTasks>;

const runResults = z.object({
  results: z.array(runResult),
  /** The `from` of the next page; null: none. */
  next: z.number().int().nullable(),
});
export type RunResults = z.output<typeof runResults>;

/** Results in columns: the entries with the same index in all arrays belong to one result. */
const resultTimes = z.object({
  /** The names to which `host` refers. */
  hosts: z.array(z.string()),
  /** The time to which `begin` refers; null: no result of the page has a time. */
  start: time.nullable(),
  host: z.array(count),
  section: z.array(count),
  state: z.array(resultState),
  /** In milliseconds since `start`; null: unknown. */
  begin: z.array(z.number().int().nullable()),
  duration_ms: z.array(count),
  /** The `from` of the next page; null: none yet. */
  next: z.number().int().nullable(),
});
export type ResultTimes = z.output<typeof resultTimes>;

/** Listed among the endpoints of tasks. */
export const runResultEndpoints = {
  hosts: endpoint.get('/api/project/:project_id/tasks/:task_id/hosts', {
    permission: 'task.log',
    summary: 'What became of each host, also while the run goes on; empty for other programs',
    reply: z.array(runHost),
  }),
  hostTable: endpoint.get('/api/project/:project_id/tasks/:task_id/hosts/csv', {
    permission: 'task.log',
    summary: 'What became of each host, as a table (CSV)',
    reply: z.string(),
    textType: 'text/csv',
  }),
  playTasks: endpoint.get('/api/project/:project_id/tasks/:task_id/play_tasks', {
    permission: 'task.log',
    summary: 'The tasks of an Ansible run in their order, with their results on all hosts',
    reply: playTasks,
  }),
  results: endpoint.get('/api/project/:project_id/tasks/:task_id/results', {
    permission: 'task.log',
    summary: 'What each task of an Ansible run did on each host, in the order of the results',
    query: z.object({
      host: z.string().min(1).max(250).optional(),
      /** The first section of a task. */
      section: numberParam().optional(),
      state: resultState.optional(),
      /** The first and the last line of the log, of which the results are returned. */
      from_line: numberParam().optional(),
      to_line: numberParam().optional(),
      from: numberParam().default(1),
      limit: numberParam(1000).default(200),
    }),
    reply: runResults,
  }),
  timeline: endpoint.get('/api/project/:project_id/tasks/:task_id/timeline', {
    permission: 'task.log',
    summary:
      'When each task of an Ansible run ran on each host, without what it printed, in the order of the results',
    query: z.object({
      from: numberParam().default(1),
      limit: numberParam(20_000).default(10_000),
    }),
    reply: resultTimes,
  }),
  failures: endpoint.get('/api/project/:project_id/tasks/:task_id/failures', {
    permission: 'task.log',
    summary:
      'Why an Ansible run failed: its failures by their cause, without ignored and rescued ones',
    reply: z.array(shownFailure),
  }),
};
