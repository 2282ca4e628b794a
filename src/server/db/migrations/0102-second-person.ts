import type { Migration } from 'kysely/migration';
import { statements } from './statements.ts';

export const migrations0102: Record<string, Migration> = {
  '0102-second-person': statements(`
  alter table tasks add column not_confirmed_by {int64}`),
};
