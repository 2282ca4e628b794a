// Records the outputs of a run and the facts of its hosts. Secret outputs are sealed, and stay when the task has ended.

import type { TaskOutput, ToldOutput } from '#shared/api/task-outputs.ts';
import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import { sealInto } from '../../../vault/sealed-texts.ts';
import { replaceOutputs } from '../results/task-outputs.store.ts';
import { lockHeld, type LeasedTask } from '../rows/tasks.store.ts';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { ToldFacts } from '#shared/host-facts.ts';
import { factsHash, holdFacts } from '../../../resources/hosts/host-facts.ts';
import { lockHosts } from '../../../resources/hosts/hosts.ts';
import { updateFactSet } from '../results/task-hosts.store.ts';

/** Replaces the outputs of a run. */
export async function recordOutputs(
  ctx: Context,
  task: Required<LeasedTask> & { project_id: number },
  outputs: ToldOutput[],
): Promise<void> {
  const { project_id } = task;
  await inTransaction(ctx, async (inner) => {
    // Done first: it locks the task until the end of the transaction, and refuses an older lease.
    await lockHeld(inner.db, task);
    const id = await replaceOutputs(inner.db, task, outputs.map(shownOutput));
    const secrets = outputs.flatMap(({ name, secret }) =>
      secret === null ? [] : [[name, secret]],
    );
    if (secrets.length === 0) return;
    await sealInto(inner, sealedColumns.outputs, { id, project_id }, JSON.stringify(secrets));
  });
  ctx.hub.publish('task.changed', { projectId: project_id, taskId: task.id });
}

const shownOutput = ({ name, value, secret }: ToldOutput): TaskOutput => ({
  name,
  value: secret === null ? value : null,
  is_secret: secret !== null,
});

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
      if (count % setsAtOnce === 0) await yieldToOthers();
      const set = await holdFacts(inner, task.project_id, hash, same[0]?.facts ?? {});
      const names = same.map(({ host }) => host);
      await updateFactSet(inner.db, task.id, names, set);
    }
  });
}
