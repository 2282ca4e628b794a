// What is different between a task and the last one before it that succeeded, and what tasks record so
// that this can be told.

import { z } from 'zod';
import { id, idOf, line, time } from '../fields.ts';
import { endpoint } from './endpoint.ts';
import { inProject } from './projects.ts';

const count = z.number().int().min(0);

/** The full hash of a commit. */
export const commitHash = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** The most commits that are listed of a range. */
export const MAX_COMMITS = 100;

const rangeCommit = z.object({
  hash: commitHash,
  author: z.string().max(200),
  /** When it was committed. */
  time,
  subject: z.string().max(300),
});

/** The commits between two commits. */
export const commitRange = z.object({
  /** How many the later one has that the earlier one lacks, and the other way round. */
  added: count,
  removed: count,
  /** The added ones, the newest first; without any, the removed ones. */
  commits: z.array(rangeCommit).max(MAX_COMMITS),
});
export type CommitRange = z.output<typeof commitRange>;

const version = line(100);

/** The kinds of requirements that a run installs. */
const requirementKinds = ['collection', 'role', 'package', 'provider'] as const;

/** The programs that a run used, and what it installed, with their versions. */
export const taskTools = z.object({
  programs: z.array(z.object({ name: line(40), version })).max(20),
  requirements: z
    .array(z.object({ kind: z.enum(requirementKinds), name: line(200), version }))
    .max(500),
});
export type TaskTools = z.output<typeof taskTools>;

/** What can be different between two tasks. */
const changeKinds = [
  'commits',
  'setting',
  'variable',
  'process_variable',
  'secret',
  'environment',
  'answer',
  'inventory',
  'host',
  'key',
  'requirement',
  'program',
  'runner',
  'launcher',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The settings of a template or launch that can be different. */
export const changedSettings = [
  'app',
  'arguments',
  'auto_approve',
  'branch',
  'cpu_limit',
  'debug',
  'diff',
  'dry_run',
  'environments',
  'incoming_version',
  'install_requirements',
  'inventory_branch',
  'inventory_repository',
  'inventory_type',
  'limit',
  'memory_limit',
  'name',
  'parallel',
  'playbook',
  'process_limit',
  'program',
  'repository',
  'skip_tags',
  'submodules',
  'tags',
  'timeout',
  'type',
  'vaults',
  'working_directory',
] as const;
export type ChangedSetting = (typeof changedSettings)[number];

/** What the keys of a task are for. */
export const keyUses = ['repository', 'inventory_repository', 'user', 'become', 'vault'] as const;

const change = z.object({
  kind: z.enum(changeKinds),
  /** `replaced`: the content of a key or secret was given again. */
  how: z.enum(['added', 'removed', 'changed', 'replaced']),
  /**
   * What is different: a setting, the name of a variable, secret, answer, host, requirement or
   * program, or what a key is for. Empty where the kind says all.
   */
  what: z.string(),
  /** Null: there was or is none, or it is not shown. Values of secrets are never shown. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Only of the kind `commits`; null if the commits between are not known. */
  range: commitRange
    .extend({
      commits: z.array(rangeCommit.extend({ url: z.string().nullable() })),
    })
    .nullable(),
});
export type TaskChange = z.output<typeof change>;

const taskChanges = z.object({
  /** The task that succeeded; null: none has. */
  since: z.object({ id, version: z.string().nullable(), end: time.nullable() }).nullable(),
  /** The most likely cause of a failure first. */
  changes: z.array(change),
});
export type TaskChanges = z.output<typeof taskChanges>;

/** The endpoint is listed among those of tasks. */
export const taskChangeEndpoints = {
  changes: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/changes',
    permission: 'member',
    summary:
      'What is different from the last successful task before it, of the same template and inventory',
    params: inProject.extend({ task_id: idOf('task.not_found') }),
    reply: taskChanges,
  }),
};
