// Names, in the refusal of a right in a project, those who can give it.

import type { FastifyRequest } from 'fastify';
import type { Right } from '#shared/rights.ts';
import { AppError, fail, someGiver } from '../lib/errors.ts';
import type { Gate } from './actor.ts';

const MOST_NAMES = 3;

/** Does the work of a request. */
export async function namingGivers<T>(
  gate: Pick<Gate, 'giversOf'>,
  { params }: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isUnnamed =
      error instanceof AppError &&
      error.code === 'permission.denied' &&
      error.params['givers'] === someGiver;
    if (!isUnnamed) throw error;
    const right = error.params['right'] as Right;
    const projectId = Number((params as Record<string, unknown>)['project_id']);
    const names = await gate.giversOf(projectId, right);
    if (names.length === 0) throw error;
    throw fail('permission.denied', { right, givers: names.slice(0, MOST_NAMES).join(', ') });
  }
}
