import type { Generated } from 'kysely';

export type Flag = 0 | 1;

export interface ResourceColumns {
  id: Generated<number>;
  project_id: number;
  name: string;
  /** Incremented by every change; the ETag. */
  revision: Generated<number>;
}
