// Records the statements that a database receives.

import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery, KyselyPlugin } from 'kysely';
import type { Context } from '../../../src/server/context/context.ts';

export interface Watched {
  /** The same context with a watched database. */
  ctx: Context;
  /** The statements since the last call. */
  take: () => CompiledQuery[];
  /** Settles when the server has executed those with which it begins, and forgets them. */
  settle: () => Promise<void>;
  /** How many rows the statements have answered since the last call. */
  takeRows: () => number;
}

const restMs = 500;
const longestRounds = 100;

export function watch(ctx: Context): Watched {
  let seen: CompiledQuery[] = [];
  let rows = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      seen.push(ctx.db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult({ result }) {
      rows += result.rows.length;
      return Promise.resolve(result);
    },
  };
  const take = (): CompiledQuery[] => {
    const all = seen;
    seen = [];
    return all;
  };
  return {
    ctx: { ...ctx, db: ctx.db.withPlugin(plugin) },
    take,
    async settle() {
      for (let round = 0; round < longestRounds; round += 1) {
        await delay(restMs);
        if (take().length === 0) return;
      }
      throw new Error('The server does not rest from its own statements.');
    },
    takeRows() {
      const all = rows;
      rows = 0;
      return all;
    },
  };
}
