// Columns that several tables have.

import type { Generated } from 'kysely';

export type Flag = 0 | 1;

/** What all resources of a project have. */
export interface ResourceColumns {
  id: Generated<number>;
  project_id: number;
  name: string;
  /** Grows with every change; the ETag of the entity. */
  revision: Generated<number>;
}
