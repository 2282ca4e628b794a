// A cache of SQLite's prepared statements: preparing takes longer than executing most of them.

import type Database from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';

/** The usual number; lists have a text for each combination of filters. */
const MAX_STATEMENTS = 500;

export class KeptStatements implements SqliteDatabase {
  readonly #database: Database.Database;
  readonly #kept = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  prepare(text: string): Database.Statement {
    const kept = this.#kept.get(text);
    // A busy statement cannot be executed again.
    if (kept && !kept.busy) return kept;
    const statement = this.#database.prepare(text);
    if (this.#kept.size === MAX_STATEMENTS) this.#kept.clear();
    this.#kept.set(text, statement);
    return statement;
  }

  close(): void {
    this.#database.close();
  }
}
