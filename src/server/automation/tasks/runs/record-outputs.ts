// The outputs of a run. Secret values are sealed, and stay when the task has ended.

import type { TaskOutput, ToldOutput } from '#shared/api/task-outputs.ts';
import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import { sealInto } from '../../../vault/sealed-texts.ts';
import { replaceOutputs } from '../results/task-outputs.store.ts';
import { lockHeld, type LeasedTask } from '../rows/tasks.store.ts';

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
