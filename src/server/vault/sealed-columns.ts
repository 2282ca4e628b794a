// All columns with sealed texts, and the data that binds a text to its row. A rotation of the master key
// reads only these columns; tests search for others.

import type { Tables } from '../db/tables.ts';
import type { SealedPlace } from './vault.ts';

export type SealedOwner = 'project_id' | 'environment_id' | 'integration_id';

export type SealedRow<Owners extends SealedOwner = SealedOwner> = { id: number | string } & Record<
  Owners,
  number
>;

export interface SealedColumn<Owners extends SealedOwner = SealedOwner> {
  table: keyof Tables;
  column: string;
  id: 'id' | 'name';
  owners: Owners[];
  /** The place that binds the text of a row. */
  at: (row: SealedRow<Owners>) => SealedPlace;
}

type Address = Pick<SealedColumn, 'table' | 'column'> & Partial<Pick<SealedColumn, 'id'>>;

/** `older`: the binding of texts of earlier versions. */
function sealedColumn<Owners extends SealedOwner = never>(
  { table, column, id = 'id' }: Address,
  owners: Owners[],
  older: (row: SealedRow<Owners>) => string,
): SealedColumn<Owners> {
  const at = (row: SealedRow<Owners>): SealedPlace => ({
    column: `${table}.${column}`,
    row: row.id,
    binding: JSON.stringify([
      `${table}.${column}`,
      `${id} ${row.id}`,
      ...owners.map((owner) => `${owner} ${row[owner]}`),
    ]),
    olderBinding: older(row),
  });
  return { table, column, id, owners, at };
}

const ofProject = (
  table: keyof Tables,
  column: string,
  older: (projectId: number) => string,
): SealedColumn<'project_id'> =>
  sealedColumn({ table, column }, ['project_id'], (row) => older(row.project_id));

const olderChannel = (projectId: number): string => `alert channel of project ${projectId}`;

export const sealedColumns = {
  keySecret: ofProject('keys', 'secret', (id) => `key of project ${id}`),
  answers: ofProject('tasks', 'secret', (id) => `answers in project ${id}`),
  // Outputs were never sealed in an older form.
  outputs: ofProject('task_outputs', 'secrets', (id) => `outputs in project ${id}`),
  runValues: ofProject('workflow_runs', 'extracted', (id) => `values of a run in project ${id}`),
  approvalAnswers: ofProject('workflow_nodes', 'secret', (id) => `approval in project ${id}`),
  channelAddress: ofProject('alert_channels', 'address', olderChannel),
  channelSecret: ofProject('alert_channels', 'secret', olderChannel),
  alias: ofProject('integration_aliases', 'alias', (id) => `alias of project ${id}`),
  environmentSecret: sealedColumn(
    { table: 'environment_secrets', column: 'secret' },
    ['project_id', 'environment_id'],
    (row) => `secret of environment ${row.environment_id} of project ${row.project_id}`,
  ),
  deliveryRequest: sealedColumn(
    { table: 'integration_deliveries', column: 'request' },
    ['project_id', 'integration_id'],
    (row) => `delivery of integration ${row.integration_id} of project ${row.project_id}`,
  ),
  secondFactor: sealedColumn(
    { table: 'users', column: 'second_factor_secret' },
    [],
    ({ id }) => `second factor ${id}`,
  ),
  idToken: sealedColumn({ table: 'sessions', column: 'id_token' }, [], () => 'session:id_token'),
  // Last: when this setting has the newest form, all texts have.
  masterKeyCheck: sealedColumn(
    { table: 'settings', column: 'value', id: 'name' },
    [],
    () => 'master_key_check',
  ),
};

export const allSealedColumns: SealedColumn[] = Object.values(sealedColumns);
