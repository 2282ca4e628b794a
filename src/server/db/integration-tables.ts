// The tables of integrations: the addresses, rules and deliveries go with theirs.

import type { Generated } from 'kysely';
import type { AuthMethod } from '#shared/api/integrations.ts';
import type { ExtractValue, Matcher } from '#shared/api/matchers.ts';
import type { DeliveryResult } from '#shared/deliveries.ts';
import type { Flag, ResourceColumns } from './columns.ts';

interface Integrations extends ResourceColumns {
  template_id: number | null;
  auth_method: AuthMethod;
  auth_header: string;
  auth_secret_id: number | null;
  searchable: Flag;
  /** What its tasks are given: JSON of `TaskParams` without the inventory; null: nothing. */
  task_params: string | null;
  /** The inventory that its tasks are given. */
  inventory_id: number | null;
}

interface IntegrationAliases {
  id: Generated<number>;
  project_id: number;
  /** null: it reaches every searchable integration of the project. */
  integration_id: number | null;
  alias_hash: string;
  /** Sealed by the vault. */
  alias: string;
}

interface IntegrationValues {
  id: Generated<number>;
  project_id: number;
  integration_id: number;
  name: string;
  value_source: ExtractValue['value_source'];
  body_data_type: ExtractValue['body_data_type'];
  key: string;
  variable: string;
}

interface IntegrationMatchers {
  id: Generated<number>;
  project_id: number;
  integration_id: number;
  name: string;
  match_type: Matcher['match_type'];
  body_data_type: Matcher['body_data_type'];
  key: string;
  method: Matcher['method'];
  value: string;
}

interface IntegrationDeliveries {
  id: Generated<number>;
  project_id: number;
  integration_id: number;
  created: string;
  ip: string;
  method: string;
  result: DeliveryResult;
  /** Why, as a code, and the JSON of what is filled in. */
  reason: string;
  params: string;
  task_id: number | null;
  replay_of: number | null;
  /** What the sender calls the delivery, where it has started a task: that happens once. */
  sender_id: string | null;
  /** JSON of headers and body, sealed by the vault. */
  request: string;
}

/** Signed requests that have started a task of late, so that nobody can send them again. */
interface IntegrationSigned {
  project_id: number;
  integration_id: number;
  /** A hash of what was signed. */
  signed: string;
  created: string;
}

export interface IntegrationTables {
  integrations: Integrations;
  integration_aliases: IntegrationAliases;
  integration_values: IntegrationValues;
  integration_matchers: IntegrationMatchers;
  integration_deliveries: IntegrationDeliveries;
  integration_signed: IntegrationSigned;
}
