// Changes no table. From here on secrets are sealed in a form that earlier versions cannot open, so
// these must not be started on this database any more. The server seals the secrets of before anew
// when it starts: only it has the master key.

import type { Migration } from 'kysely/migration';

export const boundSeals: Migration = {
  async up() {
    // The name of the migration in the database is all that it is for.
  },
};
