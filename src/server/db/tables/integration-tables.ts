// The tables of integrations. Addresses, rules and deliveries are deleted with their integration.

import type { Generated } from 'kysely';
import type { AuthMethodInput } from '#shared/webhooks/auth-methods.ts';
import type { ExtractValue, Matcher } from '#shared/api/matchers.ts';
import type { DeliveryResult } from '#shared/deliveries.ts';
import type { Flag, ResourceColumns } from './columns.ts';

interface Integrations extends ResourceColumns {
  /** A template, a workflow, or nothing yet. */
  template_id: number | null;
  workflow_id: number | null;
  auth_method: AuthMethodInput;
  auth_header: string;
  auth_secret_id: number | null;
  searchable: Flag;
  /** The launch options of its tasks: JSON of `TaskParams` without the inventory; null for none. */
  task_params: string | null;
  /** The inventory of its tasks; null for that of the template. */
  inventory_id: number | null;
  /** The user who made it or changed it last, even if deleted since; null: not known. */
  changed_by: number | null;
}

interface IntegrationAliases {
  id: Generated<number>;
  project_id: number;
  /** The integration of the address; null when the address reaches every searchable integration of the project. */
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
  variable_type: Generated<ExtractValue['variable_type']>;
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
  /** The reason as a code, and the JSON of its parameters. */
  reason: string;
  params: string;
  task_id: number | null;
  workflow_run_id: number | null;
  replay_of: number | null;
  /** The sender's id of the delivery, set when it has launched something. It is unique, so it launches once only. */
  sender_id: string | null;
  /** JSON of headers and body, sealed by the vault. */
  request: string;
}

/** Signed requests that launched a task recently, so that a recorded request cannot launch it again. */
interface IntegrationSigned {
  project_id: number;
  integration_id: number;
  /** The hash of the signed body. */
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
