// The manifest, which is the first member of a backup.

import { z } from 'zod';

/** Raised when an older program could not read a newer backup. */
export const formatVersion = 1;

/** The names of the members. Everything below `data/` belongs to the data folder. */
export const members = {
  manifest: 'manifest.json',
  sqlite: 'database/signalbox.db',
  postgres: 'database/signalbox.pgdump',
  settings: 'settings/signalbox.env',
  identity: 'settings/identity.yml',
  data: 'data/',
  sums: 'SHA256SUMS',
} as const;

export const manifestSchema = z.object({
  product: z.literal('signalbox'),
  format: z.number().int().min(1),
  /** The version of the program that has made the backup. */
  version: z.string(),
  created: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The migrations that have run on the database. */
  migrations: z.array(z.string()),
  /** The rows of each table. */
  rows: z.record(z.string(), z.number()),
  /** The data folder, whose path addresses of local repositories contain. */
  data_dir: z.string(),
  /** Identify the master keys, and reveal nothing about them. */
  key_ids: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;
