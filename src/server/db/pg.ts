// The driver of PostgreSQL, set up for this product. It is loaded only where an installation uses
// PostgreSQL: import it with `await import('./pg.ts')`.

import { Client, Pool, types } from 'pg';
import { preparedName } from './prepared.ts';

// Ids are bigint in PostgreSQL; they stay far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

export { Client, Pool };

type Query = (query: unknown, ...further: unknown[]) => Promise<unknown>;

/** A connection that keeps the statements that have a name. */
export class PreparingClient extends Client {
  override readonly query = ((query, ...further) => {
    const send = super.query.bind(this) as Query;
    const name = typeof query === 'string' && preparedName(query);
    return name ? send({ name, text: query, values: further[0] }) : send(query, ...further);
  }) as Query as Client['query'];
}
