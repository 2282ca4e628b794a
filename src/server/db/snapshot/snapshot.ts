// A consistent copy of the database in one file, made while servers go on writing.

/** What the copy contains. */
export interface Snapshot {
  engine: 'sqlite' | 'postgres';
  /** The migrations that have run on the database, in their order. */
  migrations: string[];
  /** The rows of each table, by its name. */
  rows: Record<string, number>;
  /** The addresses of local repositories outside of the data folder. */
  repositories: string[];
}
