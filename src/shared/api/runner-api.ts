// The requests of runners to their server, with a credential of their own: the runner beside a
// server over a local socket, a remote runner over HTTPS. Every request about a task names the
// lease with which the runner holds it.

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

/** The most seconds for which a request for news may stay open, and so the time between two heartbeats. */
export const LONG_POLL_MAX_SECONDS = 20;

/** The public part of the runner's key (X25519), as JSON Web Key. */
const publicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('X25519'),
  x: z.string().regex(/^[\w-]{43}$/),
});
export type PublicKey = z.output<typeof publicKey>;

const process = {
  version: line(40),
  /** 0 means no limit. */
  max_parallel_tasks: z.number().int().min(0).max(100_000),
};

// The snapshot is passed on unchecked, because it may be older than server and runner.
const snapshot: z.ZodType<TaskSnapshot> = z.any();
const answer: z.ZodType<Answer> = z.any();

/** A task that the runner has to run, or continues. */
const runnerTask = z.object({
  id,
  project_id: id,
  template_id: id,
  lease: count,
  /** The name of the server that runs it. */
  runner_name: z.string(),
  status: z.enum(taskStatuses),
  start: time.nullable(),
  version: z.string().nullable(),
  /** The commit that it runs; null if it is not known yet, or the files have no commits. */
  commit_hash: z.string().nullable(),
  /** The number of stored lines of its log, and the byte of the spool behind them. */
  log_lines: count,
  spool_offset: count,
  /** The number of stored results of its run. */
  results: count,
  /** The number of the current command, counted from 1; 0 before the first one. */
  step: count,
  commands: z.array(z.string()),
  is_confirmed: z.boolean(),
  /** The name of the server that ran the last apply of the template; empty for none. */
  applied_on: z.string().optional(),
  /** Whether its template was restored from a backup, which has no states, and has applied nothing since. */
  is_restored: z.boolean().optional(),
  attempt: count,
  attempts: count,
  /** The snapshot of the launch. Server and runner have the same version, and know its form. */
  snapshot,
  answers: z.record(z.string(), answer),
  /** Its secrets, as `secrets` answers them. A task that comes without them needs another request. */
  sealed: z.string().optional(),
});
/** A task that is assigned to a runner. */
export type RunnerTask = z.output<typeof runnerTask>;

/** What the runner knows of a stop already. */
const reportedStops = ['none', 'asked', 'forced'] as const;

const heldLease = z.object({ task_id: id, lease: count, stop: z.enum(reportedStops) });
export type HeldLease = z.output<typeof heldLease>;

/** What a runner says of itself for administrators; a program that is not installed has no version. */
const traits = z.object({
  node: z.string().max(40),
  git: z.string().max(200),
  memory_bytes: z.number().int().min(0),
  /** What it has set aside in a folder on its machine; null: it has not counted yet, or cannot tell. */
  set_aside: initially(
    z.object({ count, newest: time.nullable(), folder: z.string().max(4096) }).nullable(),
    null,
  ),
});
export type RunnerTraits = z.output<typeof traits>;

const pollResponse = z.object({
  /** Its tasks that the request did not name. */
  tasks: z.array(runnerTask),
  stops: z.array(z.object({ task_id: id, force: z.boolean() })),
  /** The named tasks that belong to another runner by now, or have ended. */
  taken: ids,
  /** Its tasks that are parked. */
  parked: ids,
  /** The inspections that the request did not name. */
  looks: z.array(inspectionRequest),
  /** Increases when repositories or projects change, of which the runner may keep files. */
  changes: count,
  /** When somebody has last asked to clear what it keeps for later runs; null: never. */
  cleaning_requested: time.nullable(),
  /** The time by the clock of the server. */
  time,
  /** The server's `longestWait`, which was 5 in the version that did not tell it. */
  longest_wait: z.number().min(1).default(5),
});
export type PollResponse = z.output<typeof pollResponse>;

const dataFolderContents = z.object({
  /** The beginnings of the names of mirrors. */
  mirrors: z.array(z.string().max(100)).max(MAX_LISTED_IDS),
  projects: ids,
  /** Projects of which it keeps a home folder. */
  homes: ids,
  /** Templates of which it keeps states of Terraform. */
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

/** Lines with the same time. A runner sends some more than a MiB of lines at once, each with its end. */
const sentLines = z.object({ time, outputs: z.array(z.string()).max(1_200_000) });
export type SentLines = z.output<typeof sentLines>;

const sentLog = z.object({
  /** The number of the first of these lines; lines count from 1. */
  from: count,
  lines: z.array(sentLines).max(100_000),
  /** The byte of the runner's file behind the last of these lines. */
  spool_offset: count,
});
export type SentLog = z.output<typeof sentLog>;

/** What a run tells of itself while it goes on: several of these can come with one request. */
const progressReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sections'), sections: z.array(taskSection).max(1000) }),
  /** Results of the run, beginning with this number: those that are stored already are passed over. */
  z.object({
    kind: z.literal('results'),
    from: z.number().int().min(1),
    results: z.array(runResult).max(1000),
  }),
  /** All failures of the run until now. */
  z.object({ kind: z.literal('failures'), failures: z.array(failureGroup).max(100) }),
  /** What became of hosts that have new results. */
  z.object({ kind: z.literal('hosts'), hosts: z.array(runHost).max(1000) }),
  /** The facts of hosts that are told already. */
  z.object({ kind: z.literal('facts'), hosts: z.array(toldFacts).max(1000) }),
  z.object({
    kind: z.literal('progress'),
    progress: taskProgress,
    /** Whether the program says that this is a dry run. */
    dry_run: initially(z.boolean(), false),
  }),
]);
export type ProgressReport = z.output<typeof progressReport>;

const report = z.discriminatedUnion('kind', [
  progressReport,
  z.object({
    kind: z.literal('move'),
    to: z.enum(['running', 'waiting_confirmation']),
    /** Why somebody has to confirm what was approved otherwise; null: nobody has approved it. */
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
  /** The programs and requirements that the run uses. */
  z.object({ kind: z.literal('tools'), tools: taskTools }),
  /** What a plan of Terraform does. */
  z.object({ kind: z.literal('plan'), plan: runPlan }),
  /** All outputs of the run until now. */
  z.object({ kind: z.literal('outputs'), outputs: z.array(toldOutput).max(MAX_OUTPUTS) }),
  /** The last line of the log before its end: it comes after so many whole lines. */
  z.object({ kind: z.literal('partial'), after: count, output: z.string().max(2000) }),
]);
export type Report = z.output<typeof report>;

/** So many reports can come with the first one of a request. */
export const MAX_MORE_REPORTS = 20;

const reportReply = z.object({
  /** False if the status of the task does not allow it. */
  accepted: z.boolean(),
  /** The version of a build. */
  version: z.string().nullable(),
});
/** What the server answers to a report. */
export type ReportReply = z.output<typeof reportReply>;

const params = z.object({ task_id: idParam });
const lease = count;

export const runnerApiEndpoints = {
  register: endpoint({
    method: 'POST',
    path: '/api/runner/register',
    permission: 'public',
    rateLimit: { max: 10, windowSeconds: 60 },
    anyHost: true,
    summary: 'Register a remote runner with a token from an administrator, which is valid once',
    body: z.object({ ...process, token: secret(line(200)), public_key: publicKey }),
    reply: z.object({ runner_id: id, name: z.string(), credential: secret(z.string()) }),
    status: 201,
    refuses: ['runner.token_wrong'],
  }),
  poll: endpoint({
    method: 'POST',
    path: '/api/runner/news',
    permission: 'runner',
    anyHost: true,
    summary:
      'Report the tasks of the runner, and receive its next instructions; waits until there are some',
    body: z.object({
      ...process,
      /** The id of the process of the runner. */
      session: z.string().regex(/^[\w-]{1,36}$/),
      /** Whether the process has just started: another process with this credential has to end. */
      is_new: z.boolean(),
      load: z.number().min(0).max(100_000),
      /** Whether the disk of its data folder has no room for new tasks. */
      is_out_of_room: initially(z.boolean(), false),
      held: z.array(heldLease).max(MAX_LISTED_IDS),
      /** The inspections that it has begun. */
      looking: initially(ids, []),
      /** Whether it knows the inspections of states of Terraform. */
      knows_states: initially(z.boolean(), false),
      /**
       * The output of `ansible --version` on its machine; empty if Ansible is not installed, or not
       * known yet.
       */
      ansible_version: initially(z.string().max(4000), ''),
      traits: initially(traits.nullable(), null),
      /** Whether the runner ends; it gets no more tasks until it is back. */
      is_leaving: z.boolean(),
      /** In seconds. */
      wait: z.number().min(0).max(LONG_POLL_MAX_SECONDS),
    }),
    reply: pollResponse,
    refuses: ['runner.replaced'],
  }),
  filterExisting: endpoint({
    method: 'POST',
    path: '/api/runner/sort_out',
    permission: 'runner',
    anyHost: true,
    mostValues: 100_000,
    summary: 'Which entries of the data folder of the runner are still in use',
    body: dataFolderContents,
    /** The id of the installation keeps apart what a data folder has of several of them. */
    reply: dataFolderContents.extend({ installation: z.string().max(100).optional() }),
  }),
  reportInspection: endpoint({
    method: 'POST',
    path: '/api/runner/looks/:look_id',
    permission: 'runner',
    anyHost: true,
    summary: 'Report the result of an inspection',
    params: z.object({ look_id: idParam }),
    body: z.object({ seen: inspectionResult }),
  }),
  secrets: endpoint({
    method: 'POST',
    path: '/api/runner/tasks/:task_id/secrets',
    permission: 'runner',
    anyHost: true,
    summary: 'The secrets of a task that the runner holds, sealed to its key',
    params,
    body: z.object({ lease }),
    reply: z.object({
      /** JSON Web Encryption (compact, ECDH-ES and A256GCM). */
      sealed: z.string(),
    }),
    refuses: ['runner.task_taken', 'runner.task_failed', 'runner.not_stored'],
  }),
  report: endpoint({
    method: 'POST',
    path: '/api/runner/tasks/:task_id/report',
    permission: 'runner',
    anyHost: true,
    bodyLimit: 8 * 1024 * 1024,
    mostValues: 500_000,
    summary: 'Report progress or the end of a task that the runner holds',
    params,
    body: z.object({
      lease,
      report,
      /** What is noted after it, in this order. */
      more: initially(z.array(progressReport).max(MAX_MORE_REPORTS), []),
    }),
    reply: reportReply.extend({ more: z.array(reportReply).default([]) }),
    refuses: ['runner.task_taken', 'runner.task_failed', 'runner.not_stored'],
  }),
  log: endpoint({
    method: 'PUT',
    path: '/api/runner/tasks/:task_id/log',
    permission: 'runner',
    anyHost: true,
    // A runner cuts a line before it has 40 MiB as JSON, and sends at most one MiB of others with it.
    bodyLimit: 48 * 1024 * 1024,
    mostValues: 1_300_000,
    summary:
      'Append lines to the log of a task that the runner holds; lines that are stored already are skipped',
    params,
    body: sentLog.extend({ lease }),
    reply: z.object({
      /** The number of stored lines. */
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
