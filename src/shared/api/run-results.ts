// What an Ansible run did: the results of its tasks on each host, and the failures by their cause.
// A runner sends them while the run goes on; people read them while it goes on and afterwards.

import { z } from 'zod';
import { idOf, numberParam, time } from '../fields.ts';
import { endpoint } from './endpoint.ts';
import { inProject } from './projects.ts';

const count = z.number().int().min(0);
/** The number of a line of the log. Null: nothing was printed for it. */
const logLine = count.nullable();

/** The outcomes of a task on a host by severity, the most severe last. */
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

/** The tasks of a host or of a section by their outcome. */
export const resultCounts = {
  ok: count,
  changed: count,
  unreachable: count,
  failed: count,
  skipped: count,
  /** Failed, but the playbook went on in the rescue section of a block. */
  rescued: count,
  /** Failed or unreachable, but the playbook ignores it. */
  ignored: count,
};
export const resultCountNames = Object.keys(resultCounts) as (keyof typeof resultCounts)[];

const difference = z.object({
  /** What was changed, as Ansible names it: mostly the path of a file. Empty if it has no name. */
  name: z.string(),
  /** The changes in the unified format, without a head. */
  text: z.string(),
});

/** What a task, or an item of its loop, told. Texts are masked. */
const told = {
  state: resultState,
  message: z.string(),
  /** The ends of the output and of the error output of its command. */
  output: z.string(),
  error_output: z.string(),
  exit_code: z.number().int().nullable(),
  diffs: z.array(difference),
};

const resultItem = z.object({ item: z.string(), ...told });

/** What one task of Ansible did on one host. */
export const runResult = z.object({
  /** Its number in the run, from 1, in the order in which results came. */
  id: z.number().int().min(1),
  host: z.string(),
  /** The number of the section of the run that it belongs to. */
  section: z.number().int().min(1),
  /** When the task began on the host; null: Ansible has not told. */
  begin: time.nullable(),
  duration_ms: count,
  line: logLine,
  ...told,
  /** Whether something was changed; also true of failures that changed something before. */
  changed: z.boolean(),
  /** The host that did it instead; null: the host itself. */
  delegated_to: z.string().nullable(),
  /** How often it was tried, if it is tried again until it succeeds; null: it is not. */
  tries: count.nullable(),
  /** The items of a loop by their outcome; null: the task has no loop. */
  items: z.object({ ok: count, changed: count, failed: count, skipped: count }).nullable(),
  /** The failed and changed items of the loop. */
  shown_items: z.array(resultItem),
  /** Whether the playbook hides what the task tells (`no_log`). */
  is_hidden: z.boolean(),
  /** Whether texts or items are missing here, because they were too long. */
  is_cut: z.boolean(),
});
export type RunResult = z.output<typeof runResult>;

/** The place of a task of Ansible in the files of the repository. */
const source = {
  /** The module or action, such as `ansible.builtin.copy`. */
  module: z.string(),
  /** The role that the task comes from; empty for none. */
  role: z.string(),
  /** The path in the repository; null if the file lies outside. */
  path: z.string().nullable(),
  file_line: count.nullable(),
};

/** What a runner tells of a section of a run beside its heading and its counts. */
export const sectionSource = {
  ...source,
  /** The number of the first section with the same task of the same play; its own number for most. */
  first: z.number().int().min(1),
  /** When the task began on its first host, and when its last result came. */
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

/** What became of a host in a run. */
export const runHost = z.object({
  host: z.string(),
  ...resultCounts,
  /** When its first task began, and when its last result came. */
  begin: time.nullable(),
  end: time.nullable(),
  /** The time that its tasks took, without the time in which it waited for other hosts. */
  duration_ms: count,
  /** Null: no task has failed on it for good. */
  first_failure: firstFailure.nullable(),
});
export type RunHost = z.output<typeof runHost>;

/** Hosts that failed for the same reason in the same task. Rescued and ignored failures are none. */
export const failureGroup = z.object({
  state: z.enum(['failed', 'unreachable']),
  /** The name of the task of Ansible. */
  task: z.string(),
  ...source,
  message: z.string(),
  /** Its first result, and the line of the log at which that is told. */
  result: z.number().int().min(1),
  line: logLine,
  /** The names of the first hosts, and how many there are in all. */
  hosts: z.array(z.string()),
  host_count: count,
});
export type FailureGroup = z.output<typeof failureGroup>;

/** The numbers of hosts of a run by their most severe result. */
export const hostCounts = z.object({
  /** Neither changed nor failed; skipped hosts too. */
  ok: count,
  changed: count,
  failed: count,
  unreachable: count,
  total: count,
});
export type HostCounts = z.output<typeof hostCounts>;

/** What the hosts of a run came to, and why it failed on some of them. */
export interface RunOutcome {
  hosts: HostCounts;
  failures: FailureGroup[];
}

/** The address of a file at the host of the repository; null if that is not known. */
const fileUrl = { file_url: z.string().nullable() };

export const shownFailure = failureGroup.extend(fileUrl);
export type ShownFailure = z.output<typeof shownFailure>;

/** A task of Ansible in a run, with its results on all hosts. */
const playTask = z.object({
  /** The number of its first section. */
  section: z.number().int().min(1),
  /** The numbers of all sections of the log that show it. */
  sections: z.array(z.number().int().min(1)),
  kind: z.enum(['task', 'handler']),
  name: z.string(),
  /** The name of its play. */
  play: z.string(),
  ...source,
  ...fileUrl,
  line: z.number().int(),
  ...resultCounts,
  begin: time.nullable(),
  end: time.nullable(),
  /** From its begin on the first host to its end on the last one. */
  duration_ms: count,
});
export type PlayTask = z.output<typeof playTask>;

const playTasks = z.object({
  tasks: z.array(playTask),
  /** Whether these are all; a run keeps 10,000 sections. */
  is_complete: z.boolean(),
});
export type PlayTasks = z.output<typeof playTasks>;

const runResults = z.object({
  results: z.array(runResult),
  /** The `from` of the next page; null on the last page. */
  next: z.number().int().nullable(),
});
export type RunResults = z.output<typeof runResults>;

const params = inProject.extend({ task_id: idOf('task.not_found') });

/** The endpoints of results, which are listed among those of tasks. */
export const runResultEndpoints = {
  hosts: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/hosts',
    permission: 'member',
    summary: 'What became of each host, also while the run goes on; empty for other programs',
    params,
    reply: z.array(runHost),
  }),
  hostTable: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/hosts/csv',
    permission: 'member',
    summary: 'What became of each host, as a table (CSV)',
    params,
    reply: z.string(),
    textType: 'text/csv',
  }),
  playTasks: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/play_tasks',
    permission: 'member',
    summary: 'The tasks of an Ansible run in their order, with their results on all hosts',
    params,
    reply: playTasks,
  }),
  results: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/results',
    permission: 'member',
    summary: 'What each task of an Ansible run did on each host, in the order of the results',
    params,
    query: z.object({
      /** Only the results of this host. */
      host: z.string().min(1).max(250).optional(),
      /** Only the results of the task with this first section. */
      section: numberParam().optional(),
      state: resultState.optional(),
      /** The number of the first result. */
      from: numberParam().default(1),
      limit: numberParam(1000).default(200),
    }),
    reply: runResults,
  }),
  failures: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/failures',
    permission: 'member',
    summary:
      'Why an Ansible run failed: its failures by their cause, without ignored and rescued ones',
    params,
    reply: z.array(shownFailure),
  }),
};
