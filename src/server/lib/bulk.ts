import type { BulkResult } from '#shared/api/bulk.ts';
import { AppError } from './errors.ts';
import { admitRequest } from './fair-queue.ts';
import { givenId } from './unseen-ids.ts';

/**
 * Calls `act` for one id after the other, in the queue of requests so that others are served in between. A
 * refusal becomes the result of its id; any other error ends the call.
 */
export async function forEachId<T>(
  ids: readonly number[],
  act: (id: number) => Promise<T>,
): Promise<(BulkResult & { value: T | null })[]> {
  const results: (BulkResult & { value: T | null })[] = [];
  for (const id of new Set(ids)) {
    await admitRequest();
    try {
      results.push({ id, ok: true, error: null, value: await act(id) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ id: givenId(id), ok: false, error: toBulkError(error), value: null });
    }
  }
  return results;
}

const toBulkError = ({ code, params, message, fields }: AppError) => ({
  code,
  params,
  message,
  fields,
});
