// Records the statements that a database receives.

import type { CompiledQuery, KyselyPlugin } from 'kysely';
import type { Context } from '../../../src/server/context/context.ts';

export interface Watched {
  /** The same context with a watched database. */
  ctx: Context;
  /** The statements since the last call. */
  take: () => CompiledQuery[];
  /** How many rows the statements have answered since the last call. */
  takeRows: () => number;
}

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
  return {
    ctx: { ...ctx, db: ctx.db.withPlugin(plugin) },
    take() {
      const all = seen;
      seen = [];
      return all;
    },
    takeRows() {
      const all = rows;
      rows = 0;
      return all;
    },
  };
}
