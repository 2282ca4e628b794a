// LISTEN and NOTIFY of PostgreSQL: sends short texts to every server that shares the database.

import { sql } from 'kysely';
import type { Log } from '../../node/log/log.ts';
import { shortReason } from './lasting.ts';
import type { Db } from './open.ts';
import type { Client } from './pg.ts';

const channel = 'signalbox';
const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 2000;
const checkPauseMs = 5000;
const MAX_CONNECT_MS = 5000;

/** The longest text in bytes; PostgreSQL accepts 7,999. */
export const MAX_NOTICE_LENGTH = 7900;

/** Sends a text to all listeners; within a transaction, when it commits. */
export async function notify(db: Db, text: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${text})`.execute(db);
}

export interface Ears {
  hear: (text: string) => void;
  /** Called when the connection is back. Texts that were sent meanwhile are lost. */
  missed: () => void;
  log: Log;
}

/** One connection that listens, and reconnects when it breaks. */
export class Listener {
  readonly #url: string;
  readonly #ears: Ears;
  #client: Client | null = null;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #check: NodeJS.Timeout | undefined;

  constructor(url: string, ears: Ears) {
    this.#url = url;
    this.#ears = ears;
  }

  async connect(): Promise<void> {
    const { Client } = await import('./pg.ts');
    const client = new Client({
      connectionString: this.#url,
      application_name: 'signalbox listener',
      connectionTimeoutMillis: MAX_CONNECT_MS,
      query_timeout: MAX_CONNECT_MS,
    });
    const onEnd = (): void => {
      if (this.#client === client) this.#again(MIN_WAIT_MS);
    };
    client.on('notification', ({ payload = '' }) => this.#ears.hear(payload));
    client.on('error', onEnd);
    client.on('end', onEnd);
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    if (this.#isClosed) return client.end();
    this.#client = client;
    this.#check = setInterval(() => {
      // A connection that was cut without a packet is noticed only by a query.
      client.query('select 1').catch(onEnd);
    }, checkPauseMs);
  }

  #again(wait: number): void {
    const broken = this.#client;
    this.#client = null;
    clearInterval(this.#check);
    void broken?.end().catch(() => undefined);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.connect().then(
        () => this.#ears.missed(),
        (error: unknown) => {
          // Once for each time that the database is away.
          if (wait === MIN_WAIT_MS) {
            const reason = shortReason(error);
            this.#ears.log.warn({ reason }, 'LISTEN connection lost; reconnecting');
          }
          this.#again(Math.min(wait * 2, MAX_WAIT_MS));
        },
      );
    }, wait);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#check);
    await this.#client?.end();
  }
}
