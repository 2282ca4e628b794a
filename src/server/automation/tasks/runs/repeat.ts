// The row of a task that repeats an earlier one.

import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { OnlyHosts } from '#shared/api/tasks.ts';
import { kindOf } from '#shared/apps.ts';
import type { Row } from '../../../db/tables.ts';
import { isReserved, limitOf, narrowLimit } from '../launch/narrow-limit.ts';
import { toPlainRow } from '../rows/tasks.store.ts';

/** A waiting task with the snapshot and, if known, the commit of an earlier one, without sealed answers. */
export function repeated(stored: Row<'tasks'>, now: Date) {
  const { id: _id, search: _search, ...same } = toPlainRow(stored);
  const { snapshot } = same;
  return {
    ...same,
    secret: null,
    status: 'waiting' as const,
    created: now.toISOString(),
    start: null,
    end: null,
    version: null,
    commit_hash: null,
    commit_message: '',
    snapshot: { ...snapshot, commit: stored.commit_hash ?? snapshot.commit },
    log_lines: 0,
    log_bytes: 0,
    log_removed: false,
    spool_offset: 0,
    step: 0,
    runner_id: null,
    runner_name: '',
    lease: 0,
    progress: null,
    hosts: null,
    results: 0,
    failures: null,
    tools: null,
    used_secrets: null,
    plan: null,
    confirmation_reason: null,
    exit_code: null,
    failure: null,
    commands: [] as string[],
  };
}

// Of the hosts to which a task is confined.
const MAX_SHOWN_NAMES = 10;

interface Confined {
  snapshot: TaskSnapshot;
  only_hosts: OnlyHosts;
}

/** Confines a task of Ansible to these hosts, within its limit. */
export function confine(snapshot: TaskSnapshot, hosts: string[]): Confined {
  const { limit: own, program, arguments: args, narrowed } = snapshot;
  // A limit of the task itself wins over one among its arguments.
  const limit = narrowed?.limit ?? (own || limitOf([...program.args, ...args]));
  return {
    snapshot: { ...snapshot, limit: narrowLimit(limit, hosts), narrowed: { limit, hosts } },
    only_hosts: { names: hosts.slice(0, MAX_SHOWN_NAMES), count: hosts.length },
  };
}

export const canConfine = ({ app }: TaskSnapshot, hosts: string[]): boolean =>
  kindOf(app) === 'ansible' && hosts.length > 0 && !hosts.some(isReserved);

interface Result {
  failed: number;
  unreachable: number;
}

export const isOfGroup = {
  failed: ({ failed }: Result) => failed > 0,
  unreachable: ({ unreachable }: Result) => unreachable > 0,
  failed_or_unreachable: ({ failed, unreachable }: Result) => failed + unreachable > 0,
};
