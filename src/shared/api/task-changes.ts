// The differences between a task and the last successful one before it, and what tasks record for this comparison.

import { z } from 'zod';
import { id, line, time } from '../fields.ts';
import { endpoint } from './endpoint.ts';

const count = z.number().int().min(0);

export const commitHash = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

export const MAX_COMMITS = 100;

const rangeCommit = z.object({
  hash: commitHash,
  author: z.string().max(200),
  time,
  subject: z.string().max(300),
});

export const commitRange = z.object({
  /** The number of commits that only the later one has, and that only the earlier one has. */
  added: count,
  removed: count,
  /** The added commits, newest first; if there are none, the removed ones. */
  commits: z.array(rangeCommit).max(MAX_COMMITS),
});
export type CommitRange = z.output<typeof commitRange>;

const version = line(100);

const requirementKinds = ['collection', 'role', 'package', 'provider'] as const;

/** The programs and requirements of a run, with their versions. */
export const taskTools = z.object({
  programs: z.array(z.object({ name: line(40), version })).max(20),
  requirements: z
    .array(z.object({ kind: z.enum(requirementKinds), name: line(200), version }))
    .max(500),
  /** The image of its container, with the digest that identifies its content; absent: no container. */
  image: z.object({ name: line(600), digest: line(100) }).optional(),
});
export type TaskTools = z.output<typeof taskTools>;

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
  'image',
  'runner',
  'launcher',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

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
  'execution_environment',
  'execution_kind',
  'execution_options',
  'image',
  'incoming_version',
  'install_requirements',
  'inventory_branch',
  'inventory_repository',
  'inventory_type',
  'limit',
  'memory_limit',
  'name',
  'packages',
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

export const keyUses = [
  'repository',
  'inventory_repository',
  'user',
  'become',
  'registry',
  'vault',
] as const;

const change = z.object({
  kind: z.enum(changeKinds),
  /** `replaced`: a key or secret was set again. */
  how: z.enum(['added', 'removed', 'changed', 'replaced']),
  /**
   * A setting; the name of a variable, secret, answer, host, requirement, program or image; or the use of a key. Empty
   * if the kind is sufficient.
   */
  what: z.string(),
  /** Null: absent, or not shown. Values of secrets are never shown. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Only of the kind `commits`; null: unknown. */
  range: commitRange
    .extend({ commits: z.array(rangeCommit.extend({ url: z.string().nullable() })) })
    .nullable(),
});
export type TaskChange = z.output<typeof change>;

const taskChanges = z.object({
  /** The successful task; null: none. */
  since: z.object({ id, version: z.string().nullable(), end: time.nullable() }).nullable(),
  /** The most likely cause of a failure first. */
  changes: z.array(change),
});
export type TaskChanges = z.output<typeof taskChanges>;

/** Listed among the endpoints of tasks. */
export const taskChangeEndpoints = {
  changes: endpoint.get('/api/project/:project_id/tasks/:task_id/changes', {
    permission: 'member',
    readsAll: true,
    summary:
      'What is different from the last successful task before it, of the same template and inventory',
    reply: taskChanges,
  }),
};
