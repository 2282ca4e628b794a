// What a runner asks of its server, with a credential of its own: the runner beside a server over a
// local socket, one elsewhere over HTTPS. Every request about a task names the lease with which the
// runner holds it.

import { z } from 'zod';
import type { Answer, TaskSnapshot } from './task-snapshot.ts';
import { taskStatuses } from '../task-status.ts';
import { endpoint } from './endpoint.ts';
import { id, idParam, initially, line, multiline, secret, time } from '../fields.ts';
import { inventoryPreview } from './inventories.ts';
import { repositoryBranches } from './repositories.ts';
import { hostResult, taskProgress } from './tasks.ts';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const most = 10_000;
const ids = z.array(id).max(most);

/** Seconds that a request for news may wait for some. */
export const longestWait = 5;

/** Bytes of log lines in one request: one line alone may have 16 MiB before it is quoted. */
const logLimit = 128 * 1024 * 1024;

/** The public part of a key of the runner's own (X25519), as JSON Web Key. */
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

// Server and runner take it as it was frozen: it may be older than both.
const snapshot: z.ZodType<TaskSnapshot> = z.any();
const answer: z.ZodType<Answer> = z.any();

/** A task that the runner is to run, or goes on with. What is secret of it is asked for. */
const runnerTask = z.object({
  id,
  project_id: id,
  template_id: id,
  lease: count,
  /** Name of the server that runs it. */
  runner_name: z.string(),
  status: z.enum(taskStatuses),
  start: time.nullable(),
  version: z.string().nullable(),
  /** Of what it runs; null: not known yet, or the files have no commits. */
  commit_hash: z.string().nullable(),
  /** Lines of its log that are stored, and the byte of the spool behind them. */
  log_lines: count,
  spool_offset: count,
  /** Which command of the run it has come to, counted from 1; 0: none has begun. */
  step: count,
  commands: z.array(z.string()),
  is_confirmed: z.boolean(),
  attempt: count,
  attempts: count,
  /** What was frozen when it was launched; server and runner are of the same version. */
  snapshot,
  answers: z.record(z.string(), answer),
});
/** A task in the hands of a runner. */
export type RunnerTask = z.output<typeof runnerTask>;

/** What it has been told of a stop already. */
const knownStops = ['none', 'asked', 'forced'] as const;

const held = z.object({ task_id: id, lease: count, stop: z.enum(knownStops) });
export type HeldNote = z.output<typeof held>;

/** What somebody waits for: the runner beside a server looks, and answers in seconds. */
const look = z.discriminatedUnion('kind', [
  /** Which branches a repository has. */
  z.object({ kind: z.literal('branches'), project_id: id, url: z.string() }),
  /** The newest commit of a branch, a tag or, where it is empty, of what HEAD points to. */
  z.object({ kind: z.literal('head'), project_id: id, url: z.string(), branch: z.string() }),
  /** What Ansible makes of the text of an inventory. */
  z.object({
    kind: z.literal('inventory'),
    type: z.enum(['static', 'static-yaml']),
    inventory: z.string(),
  }),
  /** Makes a git repository out of a folder of the server, for a demo project. */
  z.object({ kind: z.literal('new_repository'), name: z.string(), files: z.string() }),
]);
export type Look = z.output<typeof look>;

const askedLook = z.object({
  look_id: id,
  look,
  /** Milliseconds that it may take. */
  time: count,
  /** The key of the repository, sealed as the secrets of a task are; null: it needs none. */
  sealed: z.string().nullable(),
});
export type AskedLook = z.output<typeof askedLook>;

/** What was seen; `failed`: why nothing was. */
const seen = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('branches'), seen: repositoryBranches }),
  z.object({ kind: z.literal('head'), seen: z.string().nullable() }),
  z.object({ kind: z.literal('inventory'), seen: inventoryPreview }),
  z.object({ kind: z.literal('new_repository'), seen: z.string() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);
export type Seen = z.output<typeof seen>;

const news = z.object({
  /** Those of its tasks that it did not name. */
  tasks: z.array(runnerTask),
  stops: z.array(z.object({ task_id: id, force: z.boolean() })),
  /** Those that it named and that belong to somebody else by now, or have ended. */
  taken: ids,
  /** Those of its tasks that wait in the middle of a run. */
  parked: ids,
  /** Those that it did not name. */
  looks: z.array(askedLook),
  /** Grows when repositories or projects change, of which the runner may keep files. */
  changes: count,
  /** By the clock of the server. */
  time,
});
export type RunnerNews = z.output<typeof news>;

const found = z.object({
  /** What the names of mirrors of repositories begin with. */
  mirrors: z.array(z.string().max(100)).max(most),
  projects: ids,
});

const report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('move'), to: z.enum(['running', 'waiting_confirmation']) }),
  z.object({ kind: z.literal('end'), to: z.enum(['success', 'error', 'stopped']) }),
  z.object({
    kind: z.literal('step'),
    step: count,
    commands: z.array(multiline(1024 * 1024)).max(100),
  }),
  z.object({
    kind: z.literal('commit'),
    hash: z.string().regex(/^[0-9a-f]{4,64}$/),
    message: multiline(64 * 1024),
  }),
  z.object({ kind: z.literal('version') }),
  z.object({
    kind: z.literal('progress'),
    progress: taskProgress,
    hosts: z.array(hostResult).max(most).nullable(),
  }),
]);
export type Report = z.output<typeof report>;

/** Lines of one time. */
const sentLines = z.object({ time, outputs: z.array(z.string()).max(2_000_000) });
export type SentLines = z.output<typeof sentLines>;

const params = z.object({ task_id: idParam });
const lease = count;

export const runnerDesk = {
  register: endpoint({
    method: 'POST',
    path: '/api/runner/register',
    permission: 'public',
    rateLimit: { max: 10, windowSeconds: 60 },
    anyHost: true,
    summary: 'Become a runner, with the token that an administrator has made: once',
    body: z.object({ ...process, token: secret(line(200)), public_key: publicKey }),
    reply: z.object({ runner_id: id, name: z.string(), credential: secret(z.string()) }),
    status: 201,
  }),
  news: endpoint({
    method: 'POST',
    path: '/api/runner/news',
    permission: 'runner',
    anyHost: true,
    summary: 'Say what the runner has in hand, and hear what it is to do; waits for news',
    body: z.object({
      ...process,
      /** Of the process. */
      session: z.string().regex(/^[\w-]{1,36}$/),
      /** It has just started: another process with this credential is over. */
      is_new: z.boolean(),
      load: z.number().min(0).max(100_000),
      held: z.array(held).max(most),
      /** The looks that it is at. */
      looking: initially(ids, []),
      /** What `ansible --version` says on its machine; empty: it is not installed, or not known yet. */
      ansible_version: initially(z.string().max(4000), ''),
      /** It ends, and is given nothing more until it is back. */
      is_leaving: z.boolean(),
      /** Seconds. */
      wait: z.number().min(0).max(longestWait),
    }),
    reply: news,
  }),
  sortOut: endpoint({
    method: 'POST',
    path: '/api/runner/sort_out',
    permission: 'runner',
    anyHost: true,
    summary: 'Which of the things in its data folder belong to something',
    body: found,
    reply: found,
  }),
  answerLook: endpoint({
    method: 'POST',
    path: '/api/runner/looks/:look_id',
    permission: 'runner',
    anyHost: true,
    summary: 'What a look has seen',
    params: z.object({ look_id: idParam }),
    body: z.object({ seen }),
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
  }),
  report: endpoint({
    method: 'POST',
    path: '/api/runner/tasks/:task_id/report',
    permission: 'runner',
    anyHost: true,
    bodyLimit: 8 * 1024 * 1024,
    summary: 'What becomes of a task that the runner holds',
    params,
    body: z.object({ lease, report }),
    reply: z.object({
      /** False: the task is not in a status that allows it. */
      accepted: z.boolean(),
      /** Of a build. */
      version: z.string().nullable(),
    }),
  }),
  log: endpoint({
    method: 'PUT',
    path: '/api/runner/tasks/:task_id/log',
    permission: 'runner',
    anyHost: true,
    bodyLimit: logLimit,
    summary: 'Lines of its log, or none: those that are stored already are passed over',
    params,
    body: z.object({
      lease,
      /** Number of the first of these lines; lines count from 1. */
      from: count,
      lines: z.array(sentLines).max(100_000),
      /** The byte of the runner's file behind the last of them. */
      spool_offset: count,
    }),
    reply: z.object({
      /** Lines that are stored. */
      total: count,
    }),
  }),
};
