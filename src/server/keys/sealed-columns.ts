// Every column that holds sealed texts, and what each is sealed for. A rotation of the master key
// walks over them, so a column that is not here would be lost: tests look for such.

import { alertPurpose } from '../alert-channels/alert-channels.ts';
import type { Tables } from '../db/tables.ts';
import { secretPurpose } from '../environments/environments.ts';
import { aliasPurpose } from '../integrations/aliases.ts';
import { deliveryPurpose } from '../integrations/deliveries.ts';
import { secondFactorPurpose } from '../second-factor/accept-code.ts';
import { sessionPurpose } from '../session/session.ts';
import { masterKeyCheck } from '../system/master-key.ts';
import { answersPurpose } from '../tasks/runner-tasks.ts';
import { keyPurpose } from './keys.ts';

/** A row as far as it says what its text is sealed for. */
export interface SealedRow {
  id: number | string;
  project_id: number;
  environment_id: number;
  integration_id: number;
}

export interface SealedColumn {
  table: keyof Tables;
  column: string;
  /** What tells one row from another. */
  id: 'id' | 'name';
  /** The columns that the purpose is made of. */
  given: Exclude<keyof SealedRow, 'id'>[];
  purpose: (row: SealedRow) => string;
}

const inProject = (
  table: keyof Tables,
  column: string,
  purpose: (projectId: number) => string,
): SealedColumn => ({
  table,
  column,
  id: 'id',
  given: ['project_id'],
  purpose: (row) => purpose(row.project_id),
});

export const sealedColumns: SealedColumn[] = [
  inProject('keys', 'secret', keyPurpose),
  inProject('tasks', 'secret', answersPurpose),
  inProject('alert_channels', 'address', alertPurpose),
  inProject('alert_channels', 'secret', alertPurpose),
  inProject('integration_aliases', 'alias', aliasPurpose),
  {
    table: 'environment_secrets',
    column: 'secret',
    id: 'id',
    given: ['project_id', 'environment_id'],
    purpose: (row) => secretPurpose({ projectId: row.project_id, id: row.environment_id }),
  },
  {
    table: 'integration_deliveries',
    column: 'request',
    id: 'id',
    given: ['project_id', 'integration_id'],
    purpose: (row) =>
      deliveryPurpose({ projectId: row.project_id, integrationId: row.integration_id }),
  },
  {
    table: 'users',
    column: 'second_factor_secret',
    id: 'id',
    given: [],
    purpose: ({ id }) => secondFactorPurpose(Number(id)),
  },
  { table: 'sessions', column: 'id_token', id: 'id', given: [], purpose: () => sessionPurpose },
  // Of the settings only one is sealed, by its own name.
  { table: 'settings', column: 'value', id: 'name', given: [], purpose: () => masterKeyCheck },
];
