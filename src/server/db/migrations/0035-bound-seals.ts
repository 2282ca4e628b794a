// Changes no table. From here on secrets are sealed in a form that earlier versions cannot open, so
// those must not be started on this database any more. The server gives earlier secrets the new
// form when it starts, because only the server has the master key.

import type { Migration } from 'kysely/migration';

export const boundSeals: Migration = {
  async up() {
    // Only the name of the migration in the database has a purpose.
  },
};
