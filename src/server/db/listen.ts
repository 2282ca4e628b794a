// LISTEN and NOTIFY of PostgreSQL, to all servers that share the database.

import { sql } from 'kysely';
import type { Log } from '../../node/log/log.ts';
import { shortReason } from './lasting.ts';
import type { Db } from './open.ts';
import type { Client } from './pg.ts';

const channel = 'signalbox';
const MIN_RECONNECT_MS = 100;
const MAX_RECONNECT_MS = 2000;
const KEEPALIVE_MS = 5000;
const MAX_CONNECT_MS = 5000;

/** In bytes; PostgreSQL accepts 7,999. */
export const MAX_NOTICE_LENGTH = 7900;

/** Within a transaction, sent when it commits. */
export async function notify(db: Db, text: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${text})`.execute(db);
}

export interface ListenerOptions {
  hear: (text: string) => void;
  /** Called after a reconnect; notifications in between are lost. */
  missed: () => void;
  log: Log;
}

/** A listening connection with reconnects. */
export class Listener {
  readonly #url: string;
  readonly #ears: ListenerOptions;
  #client: Client | null = null;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #check: NodeJS.Timeout | undefined;

  constructor(url: string, ears: ListenerOptions) {
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
      if (this.#client === client) this.#again(MIN_RECONNECT_MS);
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
      // Detects a half-open connection.
      client.query('select 1').catch(onEnd);
    }, KEEPALIVE_MS);
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
          // Once per outage.
          if (wait === MIN_RECONNECT_MS) {
            const reason = shortReason(error);
            this.#ears.log.warn({ reason }, 'LISTEN connection lost; reconnecting');
          }
          this.#again(Math.min(wait * 2, MAX_RECONNECT_MS));
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
