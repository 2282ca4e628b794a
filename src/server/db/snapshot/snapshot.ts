// A consistent copy of the database, made while servers write.

export interface Snapshot {
  engine: 'sqlite' | 'postgres';
  /** The applied migrations, in order. */
  migrations: string[];
  /** Row counts by table. */
  rows: Record<string, number>;
  /** Local repositories outside of the data folder. */
  repositories: string[];
}
