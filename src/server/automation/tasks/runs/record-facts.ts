import { setImmediate as others } from 'node:timers/promises';
import type { ToldFacts } from '#shared/host-facts.ts';
import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { factsHash, holdFacts } from '../../../resources/hosts/host-facts.ts';
import { lockHosts } from '../../../resources/hosts/hosts.ts';
import { updateFactSet } from '../results/task-hosts.store.ts';
import { lockHeld, type LeasedTask } from '../rows/tasks.store.ts';

const setsAtOnce = 20;

/** Records the facts that a run reports of hosts. */
export async function recordFacts(
  ctx: Context,
  task: Required<LeasedTask> & { project_id: number },
  hosts: ToldFacts[],
): Promise<void> {
  const sets = Map.groupBy(hosts, ({ facts }) => factsHash(facts));
  await inTransaction(ctx, async (inner) => {
    // Done first: it locks the task until the end of the transaction, and refuses an older lease.
    await lockHeld(inner.db, task);
    await lockHosts(inner, task.project_id);
    let count = 0;
    for (const [hash, same] of sets) {
      count += 1;
      // Statements of SQLite are synchronous, and a thousand hosts may have as many sets.
      if (count % setsAtOnce === 0) await others();
      const set = await holdFacts(inner, task.project_id, hash, same[0]?.facts ?? {});
      const names = same.map(({ host }) => host);
      await updateFactSet(inner.db, task.id, names, set);
    }
  });
}
