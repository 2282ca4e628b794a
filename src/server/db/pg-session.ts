import { Client } from './pg.ts';
import { quoted } from './row.ts';

/** One connection to PostgreSQL, outside of the pool. */
export class PgSession {
  readonly #client: Client;

  constructor(connectionString: string, application_name: string) {
    this.#client = new Client({ connectionString, application_name });
    // When the connection breaks, the next query fails.
    this.#client.on('error', () => undefined);
  }

  async connect(): Promise<void> {
    await this.#client.connect();
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#client.query(text, values)).rows as Row[];
  }

  /** Undefined without a row. */
  async first<Row>(text: string, values: unknown[] = []): Promise<Row | undefined> {
    return (await this.query<Row>(text, values))[0];
  }

  async hasTable(name: string): Promise<boolean> {
    const found = await this.first<{ name: string | null }>('select to_regclass($1) as name', [
      name,
    ]);
    return Boolean(found?.name);
  }

  /** The names of the tables of the schema, in alphabetical order. */
  async listTables(): Promise<string[]> {
    const rows = await this.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = current_schema() and table_type = 'BASE TABLE'
       order by table_name collate "C"`,
    );
    return rows.map(({ name }) => name);
  }

  async countRows(table: string): Promise<number> {
    const row = await this.first<{ count: number }>(
      `select count(*) as count from ${quoted(table)}`,
    );
    return row?.count ?? 0;
  }

  /** The number of rows of each of these tables, except those that list the migrations. */
  async countAllRows(tables: string[]): Promise<Record<string, number>> {
    const rows: Record<string, number> = {};
    for (const name of tables) {
      if (!name.startsWith('kysely_')) rows[name] = await this.countRows(name);
    }
    return rows;
  }

  async transaction(work: () => Promise<void>): Promise<void> {
    await this.query('begin');
    try {
      await work();
      await this.query('commit');
    } catch (error) {
      await this.query('rollback');
      throw error;
    }
  }
}
