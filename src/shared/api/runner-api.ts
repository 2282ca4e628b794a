// The requests of runners to their server, with a credential of their own: of the runner beside a server over a local
// socket, of a remote runner over HTTPS. All requests about a task contain its lease.

import { z } from 'zod';
import type { Answer, TaskSnapshot } from './task-snapshot.ts';
import { taskStatuses } from '../task-status.ts';
import { endpoint } from './endpoint.ts';
import { id, idParam, initially, line, multiline, secret, time } from '../fields.ts';
import { inspectionRequest, inspectionResult } from './inspections.ts';
import { logSection } from './task-log.ts';
import { failureGroup, runHost, runResult, sectionSource } from './run-results.ts';
import { toldFacts } from '../host-facts.ts';
import { taskTools } from './task-changes.ts';
import { MAX_OUTPUTS, toldOutput } from './task-outputs.ts';
import { runPlan } from './task-plan.ts';
import { confirmationReason, failure } from './coded-messages.ts';
import { taskProgress } from './tasks.ts';

export type { InspectionRequest, KeyDefect, Inspection, InspectionResult } from './inspections.ts';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const MAX_LISTED_IDS = 10_000;
const ids = z.array(id).max(MAX_LISTED_IDS);

/** How long a long poll may stay open, which is also the time between two heartbeats. */
export const LONG_POLL_MAX_SECONDS = 20;

/** The public key of a runner (X25519) as JSON Web Key. */
const publicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('X25519'),
  x: z.string().regex(/^[\w-]{43}$/),
});
export type PublicKey = z.output<typeof publicKey>;

const process = {
  version: line(40),
  /** 0: no limit. */
  max_parallel_tasks: z.number().int().min(0).max(100_000),
};

// Snapshots are not validated, because they may be older than server and runner.
const snapshot: z.ZodType<TaskSnapshot> = z.any();
const answer: z.ZodType<Answer> = z.any();

/** A task assigned to a runner. */
const runnerTask = z.object({
  id,
  project_id: id,
  template_id: id,
  lease: count,
  /** The name of its server. */
  runner_name: z.string(),
  status: z.enum(taskStatuses),
  start: time.nullable(),
  version: z.string().nullable(),
  /** Null: not known yet, or the files have no commits. */
  commit_hash: z.string().nullable(),
  /** The number of stored lines of its log, and the byte of the spool after them. */
  log_lines: count,
  spool_offset: count,
  results: count,
  /** The number of the current command, from 1; 0: none yet. */
  step: count,
  commands: z.array(z.string()),
  is_confirmed: z.boolean(),
  /** The name of the server with the last apply of the template; empty: none. */
  applied_on: z.string().optional(),
  /** Whether its template was restored from a backup, which has no states, and has no apply since. */
  is_restored: z.boolean().optional(),
  attempt: count,
  attempts: count,
  snapshot,
  answers: z.record(z.string(), answer),
  /** The reply of `secrets`; absent: it has to be requested. */
  sealed: z.string().optional(),
});
export type RunnerTask = z.output<typeof runnerTask>;

/** The last stop request that the runner has received. */
const reportedStops = ['none', 'asked', 'forced'] as const;

const heldLease = z.object({ task_id: id, lease: count, stop: z.enum(reportedStops) });
export type HeldLease = z.output<typeof heldLease>;

/** Information for administrators; a program that is not installed has no version. */
const traits = z.object({
  node: z.string().max(40),
  git: z.string().max(200),
  memory_bytes: z.number().int().min(0),
  /** What was set aside in the data folder; null: unknown. */
  set_aside: initially(
    z.object({ count, newest: time.nullable(), folder: z.string().max(4096) }).nullable(),
    null,
  ),
  /**
   * What runs containers, with its version, such as `podman 4.3.1`; `kubernetes 1.33.2` for a runner whose tasks run in
   * pods; empty: nothing.
   */
  container_engine: z.string().max(200).optional(),
});
export type RunnerTraits = z.output<typeof traits>;

const pollResponse = z.object({
  /** Assigned tasks that were not in the request. */
  tasks: z.array(runnerTask),
  stops: z.array(z.object({ task_id: id, force: z.boolean() })),
  /** Tasks in the request whose leases are revoked or have ended. */
  taken: ids,
  parked: ids,
  /** Inspections that were not in the request. */
  looks: z.array(inspectionRequest),
  /** Increases when repositories or projects change, for which the runner may have files. */
  changes: count,
  /** The time of the last request to clear the caches; null: none. */
  cleaning_requested: time.nullable(),
  /** The clock of the server. */
  time,
  /** In seconds; earlier versions, which do not send it, have 5. */
  longest_wait: z.number().min(1).default(5),
});
export type PollResponse = z.output<typeof pollResponse>;

const dataFolderContents = z.object({
  /** Prefixes of the names of mirrors. */
  mirrors: z.array(z.string().max(100)).max(MAX_LISTED_IDS),
  projects: ids,
  /** Projects with a kept home folder. */
  homes: ids,
  /** Templates with kept Terraform states. */
  states: z
    .array(z.object({ project_id: id, template_id: id }))
    .max(MAX_LISTED_IDS)
    .optional(),
});

/** A play or task of a run, with its number in the run, from 1. */
const taskSection = logSection.extend({
  ...sectionSource,
  number: z.number().int().min(1).max(MAX_LISTED_IDS),
  line: z
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1),
  name: z.string().max(250),
});
export type TaskSection = z.output<typeof taskSection>;

const commit = z.object({
  hash: z.string().regex(/^[0-9a-f]{4,64}$/),
  message: multiline(64 * 1024),
});

/** Lines with the same time. A request has a little more than 1 MiB of lines, each with its line end. */
const sentLines = z.object({ time, outputs: z.array(z.string()).max(1_200_000) });
export type SentLines = z.output<typeof sentLines>;

const sentLog = z.object({
  /** The number of the first line; lines are numbered from 1. */
  from: count,
  lines: z.array(sentLines).max(100_000),
  /** The byte of the spool after these lines. */
  spool_offset: count,
});
export type SentLog = z.output<typeof sentLog>;

/** A report of the progress of a run; a request may have several. */
const progressReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sections'), sections: z.array(taskSection).max(1000) }),
  /** Results numbered from `from`; stored ones are skipped. */
  z.object({
    kind: z.literal('results'),
    from: z.number().int().min(1),
    results: z.array(runResult).max(1000),
  }),
  /** All failures of the run so far. */
  z.object({ kind: z.literal('failures'), failures: z.array(failureGroup).max(100) }),
  /** Hosts that have new results. */
  z.object({ kind: z.literal('hosts'), hosts: z.array(runHost).max(1000) }),
  /** The facts of hosts that were reported before. */
  z.object({ kind: z.literal('facts'), hosts: z.array(toldFacts).max(1000) }),
  z.object({
    kind: z.literal('progress'),
    progress: taskProgress,
    /** Whether the program reports a dry run. */
    dry_run: initially(z.boolean(), false),
  }),
]);
export type ProgressReport = z.output<typeof progressReport>;

const report = z.discriminatedUnion('kind', [
  progressReport,
  z.object({
    kind: z.literal('move'),
    to: z.enum(['running', 'waiting_confirmation']),
    /** Why the task must be confirmed although it was approved; null: it was not. */
    why: initially(confirmationReason.nullable(), null),
  }),
  z.object({
    kind: z.literal('end'),
    to: z.enum(['success', 'error', 'stopped']),
    exit_code: initially(z.number().int().nullable(), null),
    failure: initially(failure.nullable(), null),
  }),
  z.object({
    kind: z.literal('step'),
    step: count,
    commands: z.array(multiline(1024 * 1024)).max(100),
    /** The lines of the log before the step; null: they were sent already. */
    log: initially(sentLog.nullable(), null),
  }),
  commit.extend({ kind: z.literal('commit') }),
  z.object({ kind: z.literal('version') }),
  z.object({ kind: z.literal('tools'), tools: taskTools }),
  z.object({ kind: z.literal('plan'), plan: runPlan }),
  /** All outputs of the run so far. */
  z.object({ kind: z.literal('outputs'), outputs: z.array(toldOutput).max(MAX_OUTPUTS) }),
  /** The unfinished last line of the log, after `after` whole lines. */
  z.object({ kind: z.literal('partial'), after: count, output: z.string().max(2000) }),
]);
export type Report = z.output<typeof report>;

/** How many reports may follow the first one in a request. */
export const MAX_MORE_REPORTS = 20;

const reportReply = z.object({
  /** False: not allowed in the status of the task. */
  accepted: z.boolean(),
  version: z.string().nullable(),
});
export type ReportReply = z.output<typeof reportReply>;

const params = { task_id: idParam };
const lease = count;

export const runnerApiEndpoints = {
  register: endpoint.post('/api/runner/register', {
    permission: 'public',
    rateLimit: { max: 10, windowSeconds: 60 },
    anyHost: true,
    summary: 'Register a remote runner with a token from an administrator, which is valid once',
    body: z.object({ ...process, token: secret(line(200)), public_key: publicKey }),
    reply: z.object({ runner_id: id, name: z.string(), credential: secret(z.string()) }),
    status: 201,
    refuses: ['runner.token_wrong'],
  }),
  poll: endpoint.post('/api/runner/news', {
    permission: 'runner',
    anyHost: true,
    summary:
      'Report the tasks of the runner, and receive its next instructions; waits until there are some',
    body: z.object({
      ...process,
      /** Identifies the process of the runner. */
      session: z.string().regex(/^[\w-]{1,36}$/),
      /** Whether the process has just started: another process with this credential must end. */
      is_new: z.boolean(),
      load: z.number().min(0).max(100_000),
      /** Whether the disk of the data folder is too full for new tasks. */
      is_out_of_room: initially(z.boolean(), false),
      held: z.array(heldLease).max(MAX_LISTED_IDS),
      /** The inspections in progress. */
      looking: initially(ids, []),
      /** Whether its version supports inspections of Terraform states. */
      knows_states: initially(z.boolean(), false),
      /** The output of `ansible --version`; empty: not installed, or not known yet. */
      ansible_version: initially(z.string().max(4000), ''),
      traits: initially(traits.nullable(), null),
      /** Whether the runner shuts down; it receives no more tasks until it is back. */
      is_leaving: z.boolean(),
      /** In seconds. */
      wait: z.number().min(0).max(LONG_POLL_MAX_SECONDS),
    }),
    reply: pollResponse,
    refuses: ['runner.replaced'],
  }),
  filterExisting: endpoint.post('/api/runner/sort_out', {
    permission: 'runner',
    anyHost: true,
    mostValues: 100_000,
    summary: 'Which entries of the data folder of the runner are still in use',
    body: dataFolderContents,
    /** Identifies the installation, as the data folder may have data of several ones. */
    reply: dataFolderContents.extend({ installation: z.string().max(100).optional() }),
  }),
  reportInspection: endpoint.post('/api/runner/looks/:look_id', {
    permission: 'runner',
    anyHost: true,
    summary: 'Report the result of an inspection',
    params: { look_id: idParam },
    body: z.object({ seen: inspectionResult }),
  }),
  delegate: endpoint.post('/api/runner/tasks/:task_id/delegate', {
    permission: 'runner',
    anyHost: true,
    summary:
      'A credential with which another process may run this one task, as long as the runner holds it',
    params,
    body: z.object({ lease }),
    reply: z.object({ credential: secret(z.string()) }),
    refuses: ['runner.task_taken', 'runner.not_stored'],
  }),
  task: endpoint.post('/api/runner/tasks/:task_id/task', {
    permission: 'runner_of_task',
    anyHost: true,
    summary: 'The task as it is now, without its secrets',
    params,
    body: z.object({ lease }),
    reply: z.object({
      task: runnerTask,
      /** The clock of the server. */
      time,
    }),
    refuses: ['runner.task_taken', 'runner.not_stored'],
  }),
  secrets: endpoint.post('/api/runner/tasks/:task_id/secrets', {
    permission: 'runner_of_task',
    anyHost: true,
    summary: 'The secrets of a task that the runner holds, sealed to its key',
    params,
    body: z.object({
      lease,
      /** The key to seal to, instead of that of the runner. */
      public_key: initially(publicKey.nullable(), null),
    }),
    reply: z.object({
      /** JSON Web Encryption (compact, ECDH-ES and A256GCM). */
      sealed: z.string(),
    }),
    refuses: ['runner.task_taken', 'runner.task_failed', 'runner.not_stored'],
  }),
  report: endpoint.post('/api/runner/tasks/:task_id/report', {
    permission: 'runner_of_task',
    anyHost: true,
    bodyLimit: 8 * 1024 * 1024,
    mostValues: 500_000,
    summary: 'Report progress or the end of a task that the runner holds',
    params,
    body: z.object({
      lease,
      report,
      /** Further reports, in this order. */
      more: initially(z.array(progressReport).max(MAX_MORE_REPORTS), []),
    }),
    reply: reportReply.extend({ more: z.array(reportReply).default([]) }),
    refuses: ['runner.task_taken', 'runner.task_failed', 'runner.not_stored'],
  }),
  log: endpoint.put('/api/runner/tasks/:task_id/log', {
    permission: 'runner_of_task',
    anyHost: true,
    // A runner splits lines of 40 MiB as JSON, and sends at most 1 MiB of others with one.
    bodyLimit: 48 * 1024 * 1024,
    mostValues: 1_300_000,
    summary:
      'Append lines to the log of a task that the runner holds; lines that are stored already are skipped',
    params,
    body: sentLog.extend({ lease }),
    reply: z.object({
      total: count,
    }),
    refuses: [
      'runner.task_taken',
      'runner.task_failed',
      'runner.not_stored',
      'runner.lines_missing',
    ],
  }),
};
