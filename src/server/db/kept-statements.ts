// Keeps SQLite's prepared statements by their text: preparing a statement takes longer than
// executing most of them.

import type Database from 'better-sqlite3';
import { SqliteQueryCompiler, type SqliteDatabase, type ValuesNode } from 'kysely';

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

/**
 * Writes the texts of statements so that SQLite keeps their plans. SQLite reads whether the plan may
 * depend on a parameter, such as one of a limit or one that is compared without an index, and then
 * plans the statement again after the parameter has changed. better-sqlite3 clears all parameters after
 * each execution, so that would be for each execution, and takes longer than most of them. SQLite does
 * not look at a parameter inside `likely`, which costs nothing. Where an index holds one value only, a
 * statement names this value with `sql.lit`.
 */
export class KeptPlanCompiler extends SqliteQueryCompiler {
  #isRow = false;

  protected override getCurrentParameterPlaceholder(): string {
    return this.#isRow ? '?' : 'likely(?)';
  }

  /** The rows of an insertion: no plan depends on them, and SQLite reads many of them faster without a function. */
  protected override visitValues(node: ValuesNode): void {
    this.#isRow = true;
    try {
      super.visitValues(node);
    } finally {
      this.#isRow = false;
    }
  }
}
