// The changes of a stored plan: JSON, compressed outside the event loop.

import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { PlanChange } from '#shared/api/task-plan.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

// PostgreSQL stores the bytes as they are, whatever the texts contain.
export const packChanges = (changes: PlanChange[]): Promise<Buffer> =>
  compress(JSON.stringify(changes));

export const unpackChanges = async (data: Buffer): Promise<PlanChange[]> =>
  JSON.parse((await decompress(data)).toString('utf8')) as PlanChange[];
