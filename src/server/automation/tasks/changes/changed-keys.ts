// Compares the keys and secret variables of two tasks by the times at which they were set, because
// their values are not recorded.

import type { keyUses, TaskChange } from '#shared/api/task-changes.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { registryKeyOf } from '../../../resources/execution-environments/execution-environments.ts';
import { changeOf, hidden, type Pair } from './compare.ts';
import type { UsedSecrets } from '../rows/tasks.store.ts';

type Use = (typeof keyUses)[number];

interface KeyInUse {
  use: Use;
  /** The name of the vault. */
  vault: string;
  id: number | null;
}

/** The keys of a task by what they are for. */
function keysIn(snapshot: TaskSnapshot): KeyInUse[] {
  const { repository, inventoryRepository, inventory, vaults } = snapshot;
  const of = (use: Use, id: number | null | undefined, vault = ''): KeyInUse => ({
    use,
    vault,
    id: id ?? null,
  });
  return [
    of('repository', repository.ssh_key_id),
    of('inventory_repository', inventoryRepository?.ssh_key_id),
    of('user', inventory?.ssh_key_id),
    of('become', inventory?.become_key_id),
    of('registry', registryKeyOf(snapshot)),
    ...vaults.map(({ name, keyId }) => of('vault', keyId, name)),
  ];
}

export const keyIdsOf = ({ before, after }: Pair<TaskSnapshot>): number[] => [
  ...new Set([...keysIn(before), ...keysIn(after)].flatMap(({ id }) => id ?? [])),
];

/** Other keys, and keys whose content was replaced. `names` has the names of keys that still exist. */
export function changedKeys(
  { before, after }: Pair<TaskSnapshot>,
  used: Pair<UsedSecrets | null>,
  names: Map<number, string>,
): TaskChange[] {
  const old = keysIn(before);
  const nameOf = (id: number | null): string | null =>
    id === null ? null : (names.get(id) ?? `#${id}`);
  const reported = new Set<number>();
  return keysIn(after).flatMap(({ use, vault, id }) => {
    const known = old.find((one) => one.use === use && one.vault === vault);
    // A vault that is new or gone is a setting of the template.
    if (!known) return [];
    if (known.id !== id) {
      return [changeOf({ kind: 'key', what: use, before: nameOf(known.id), after: nameOf(id) })];
    }
    if (id === null || reported.has(id) || !isReplaced(id, used)) return [];
    reported.add(id);
    return [{ ...hidden({ kind: 'key', what: use }, 'replaced'), after: nameOf(id) }];
  });
}

function isReplaced(id: number, { before, after }: Pair<UsedSecrets | null>): boolean {
  const setIn = (used: UsedSecrets | null) => used?.keys.find((key) => key.id === id)?.set;
  const [old, next] = [setIn(before), setIn(after)];
  return old !== undefined && next !== undefined && old !== next;
}

/** Secret variables that were added, removed or replaced. */
export function changedSecrets({ before, after }: Pair<UsedSecrets | null>): TaskChange[] {
  if (!before || !after) return [];
  const [old, next] = [secretsIn(before), secretsIn(after)];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((what) => {
    if (old.get(what) === next.get(what)) return [];
    const how = !old.has(what) ? 'added' : next.has(what) ? 'replaced' : 'removed';
    return [hidden({ kind: 'secret', what }, how)];
  });
}

/** Of a name that two environments have, the last one counts. */
const secretsIn = ({ variables }: UsedSecrets): Map<string, string> =>
  new Map(variables.map(({ environment, name, set }) => [name, `${environment} ${set}`]));
