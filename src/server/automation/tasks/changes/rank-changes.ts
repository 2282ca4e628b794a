// Sorts changes by how likely they have caused a failure.

import type { FailureGroup } from '#shared/api/run-results.ts';
import type { ChangeKind, TaskChange } from '#shared/api/task-changes.ts';

// A name stands for all changes of a kind, or for one setting.
const usual: string[] = [
  'commits',
  'repository',
  'branch',
  'playbook',
  'working_directory',
  'incoming_version',
  'requirement',
  'install_requirements',
  'answer',
  'variable',
  'process_variable',
  'secret',
  'environments',
  'environment',
  'arguments',
  'limit',
  'tags',
  'skip_tags',
  'host',
  'inventory',
  'key',
  'setting',
  'program',
  'runner',
  'launcher',
  'name',
];

/** What can keep a runner from reaching a host comes first if all failures are unreachable hosts. */
const ofUnreachable: ChangeKind[] = ['key', 'host', 'inventory', 'runner'];

export function rankChanges(changes: TaskChange[], failures: FailureGroup[]): TaskChange[] {
  const isUnreachable =
    failures.length > 0 && failures.every(({ state }) => state === 'unreachable');
  const order = isUnreachable ? [...ofUnreachable, ...usual] : usual;
  const rank = ({ kind, what }: TaskChange): number =>
    order.indexOf(kind === 'setting' && order.includes(what) ? what : kind);
  return changes.toSorted((one, other) => rank(one) - rank(other));
}
