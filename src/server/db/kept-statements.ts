// Keeps SQLite's prepared statements by their text: preparing a statement takes longer than
// executing most of them.

import type Database from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';

/** As many texts as the server usually has; a list with filters has a text for each combination. */
const most = 500;

export class KeptStatements implements SqliteDatabase {
  readonly #database: Database.Database;
  readonly #kept = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  prepare(text: string): Database.Statement {
    const kept = this.#kept.get(text);
    // A statement whose rows are still being read cannot be executed a second time.
    if (kept && !kept.busy) return kept;
    const statement = this.#database.prepare(text);
    if (this.#kept.size === most) this.#kept.clear();
    this.#kept.set(text, statement);
    return statement;
  }

  close(): void {
    this.#database.close();
  }
}
