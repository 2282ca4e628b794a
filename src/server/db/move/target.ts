// The PostgreSQL database into which an installation is moved. During the move an extra table names
// the source, and no server starts on the database (see `unfinished.ts`). Foreign keys are added when
// all rows are there, so that tables and rows can be copied in any order.

import { ConfigError } from '../../../node/config-error.ts';
import { PgSession } from '../pg-session.ts';
import { mark } from './unfinished.ts';
import { quoted } from '../row.ts';
import type { Table, Value, Values } from './table.ts';

// The number of rows that are read at once; a row of a log has up to 64 KiB.
const BATCH_ROWS = 200;

const LOCK_TIMEOUT_MS = 10_000;
const lockNotAvailable = '55P03';

/** The source of the rows. */
export interface Origin {
  /** The identity of the installation. */
  source: string;
  /** A text that changes with every change of the source. */
  state: string;
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

interface Mark extends Origin {
  foreign_keys: string;
}

export class Target extends PgSession {
  constructor(url: string) {
    super(url, 'signalbox move');
  }

  /** Takes the lock of moves, which is released with the connection. */
  override async connect(): Promise<void> {
    await super.connect();
    await this.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    try {
      // The lock of a killed move is released when its last statement ends.
      await this.query("select pg_advisory_lock(hashtext('signalbox move'))");
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
      throw new ConfigError('Another move into this database is at work.');
    }
    await this.query('set lock_timeout = 0');
  }

  /** The source of the unfinished move; null when none has begun. */
  async findMark(): Promise<Origin | null> {
    if (!(await this.hasTable(mark))) return null;
    return (await this.first<Mark>(`select source, state, foreign_keys from ${mark}`)) ?? null;
  }

  async setMark({ source, state }: Origin): Promise<void> {
    const keys = await this.query<ForeignKey>(
      `select conrelid::regclass::text as table, conname as name,
         pg_get_constraintdef(oid) as definition
       from pg_constraint
       where contype = 'f' and connamespace = current_schema()::regnamespace order by oid`,
    );
    await this.transaction(async () => {
      await this.query(
        `create table ${mark} (source text not null, state text not null, foreign_keys text not null)`,
      );
      await this.query(`insert into ${mark} values ($1, $2, $3)`, [
        source,
        state,
        JSON.stringify(keys),
      ]);
      for (const { table, name } of keys) {
        await this.query(`alter table ${table} drop constraint ${quoted(name)}`);
      }
    });
  }

  /** Deletes the rows that were moved from an earlier state of the same source. */
  async beginAnew(tables: Table[], { state }: Origin): Promise<void> {
    await this.transaction(async () => {
      await this.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
      await this.query(`update ${mark} set state = $1`, [state]);
    });
  }

  /** Finishes a complete move: adds the foreign keys, which checks all references, and lets servers start. */
  async removeMark(): Promise<void> {
    const row = await this.first<Mark>(`select foreign_keys from ${mark}`);
    const keys = JSON.parse(row?.foreign_keys ?? '[]') as ForeignKey[];
    await this.transaction(async () => {
      for (const { table, name, definition } of keys) {
        await this.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
      }
      await this.query(`drop table ${mark}`);
    });
    await this.query('analyze');
  }

  /** The names of the tables with their columns, both in alphabetical order. */
  async columns(): Promise<Map<string, string[]>> {
    const rows = await this.query<{ name: string; columns: string[] }>(
      `select table_name as name, array_agg(column_name::text order by column_name collate "C") as columns
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = current_schema() and table_type = 'BASE TABLE'
         and table_name <> $1 and table_name not like 'kysely\\_%'
       group by table_name order by table_name collate "C"`,
      [mark],
    );
    return new Map(rows.map(({ name, columns }) => [name, columns]));
  }

  async isEmpty(tables: Table[]): Promise<boolean> {
    for (const { name } of tables) {
      const rows = await this.query(`select 1 from ${quoted(name)} limit 1`);
      if (rows.length > 0) return false;
    }
    return true;
  }

  async insert(table: Table, rows: Values[]): Promise<void> {
    const { name, columns } = table;
    const list = columns.map(quoted).join(', ');
    const objects = rows.map((row) =>
      Object.fromEntries(columns.map((column, index) => [column, toJson(row[index] ?? null)])),
    );
    await this.query(
      `insert into ${quoted(name)} (${list})
       select ${list} from json_populate_recordset(null::${quoted(name)}, $1::json)`,
      [JSON.stringify(objects)],
    );
  }

  async lastKey(table: Table): Promise<Values | null> {
    const { name, key } = table;
    const order = (await this.#order(table)).map((column) => `${column} desc`).join(', ');
    const [row] = await this.query<Record<string, Value>>(
      `select ${key.map(quoted).join(', ')} from ${quoted(name)} order by ${order} limit 1`,
    );
    return row ? key.map((column) => row[column] ?? null) : null;
  }

  /** Yields the rows in the order of the primary key that SQLite has. */
  async *rows(table: Table): AsyncIterable<Values> {
    const { name, columns, key } = table;
    const order = (await this.#order(table)).join(', ');
    const list = columns.map(quoted).join(', ');
    const behind = key.map((_, index) => `$${index + 1}`).join(', ');
    let after: Values | null = null;
    for (;;) {
      const rows: Record<string, Value>[] = await this.query(
        `select ${list} from ${quoted(name)} ${after ? `where (${order}) > (${behind})` : ''}
         order by ${order} limit ${BATCH_ROWS}`,
        after ?? [],
      );
      for (const row of rows) yield columns.map((column) => row[column] ?? null);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH_ROWS) return;
      after = key.map((column) => last[column] ?? null);
    }
  }

  /** SQLite compares texts by their bytes, so the collation "C" is used, whatever the collation of this database is. */
  async #order({ name, key }: Table): Promise<string[]> {
    const rows = await this.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = current_schema() and table_name = $1
         and data_type in ('text', 'character varying')`,
      [name],
    );
    const texts = new Set(rows.map((row) => row.name));
    return key.map((column) => `${quoted(column)}${texts.has(column) ? ' collate "C"' : ''}`);
  }

  /** Makes sure that new ids are higher than this one. */
  async setLastId({ name }: Table, last: number): Promise<void> {
    const identities = await this.query<{ column: string }>(
      `select column_name as column from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and is_identity = 'YES'`,
      [name],
    );
    for (const { column } of identities) {
      await this.query(
        `select setval(pg_get_serial_sequence($1, $2), greatest(highest, 1), highest > 0)
         from (select greatest($3::bigint, max(${quoted(column)})) as highest
               from ${quoted(name)}) as ids`,
        [quoted(name), column, last],
      );
    }
  }
}

function toJson(value: Value): string | number | null {
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
}
