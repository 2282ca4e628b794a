import { Client } from './pg.ts';

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
