// The PostgreSQL driver. Loaded lazily: use `await import('./pg.ts')`.

import { Client, Pool, types } from 'pg';
import { preparedName } from './prepared.ts';

// Ids are bigint, and stay below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

export { Client, Pool };

type Query = (query: unknown, ...further: unknown[]) => Promise<unknown>;

/** A connection that prepares named statements. */
export class PreparingClient extends Client {
  override readonly query = ((query, ...further) => {
    const send = super.query.bind(this) as Query;
    const name = typeof query === 'string' && preparedName(query);
    return name ? send({ name, text: query, values: further[0] }) : send(query, ...further);
  }) as Query as Client['query'];
}
