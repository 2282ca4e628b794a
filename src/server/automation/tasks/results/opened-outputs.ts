// The outputs of a task with decrypted secrets, for tasks that follow it, never for a reply.

import type { OutputValue } from '#shared/api/task-outputs.ts';
import type { Context } from '../../../context/context.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import { findOutputs, findSealedOutputs } from './task-outputs.store.ts';

export interface OpenedOutputs {
  plain: Map<string, OutputValue>;
  secret: Map<string, OutputValue>;
}

export async function openOutputs({ db, vault }: Context, taskId: number): Promise<OpenedOutputs> {
  const outputs = await findOutputs(db, taskId);
  const sealed = await findSealedOutputs(db, taskId);
  const texts = sealed ? vault.open(sealed.secrets, sealedColumns.outputs.at(sealed)) : '[]';
  const secrets = JSON.parse(texts) as [name: string, json: string][];
  return {
    plain: new Map(
      outputs.flatMap(({ name, value, is_secret: isSecret }) =>
        isSecret ? [] : [[name, value] as const],
      ),
    ),
    secret: new Map(secrets.map(([name, json]) => [name, JSON.parse(json) as OutputValue])),
  };
}
