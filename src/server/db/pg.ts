// The driver of PostgreSQL, set up for this product. It is loaded only where an installation uses
// PostgreSQL: import it with `await import('./pg.ts')`.

import { Client, Pool, types } from 'pg';

// Ids are bigint in PostgreSQL; they stay far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

export { Client, Pool };
