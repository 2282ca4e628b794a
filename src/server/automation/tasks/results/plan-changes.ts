// The changes of a stored plan: JSON, compressed.

import type { PlanChange } from '#shared/api/task-plan.ts';
import { pack, unpack } from '../../../db/packed-text.ts';

// PostgreSQL stores the bytes as they are, whatever the texts contain.
export const packChanges = (changes: PlanChange[]): Promise<Buffer> =>
  pack(JSON.stringify(changes));

export const unpackChanges = async (data: Buffer): Promise<PlanChange[]> =>
  JSON.parse(await unpack(data)) as PlanChange[];
