// Child rows are deleted with their integration.

import type { Generated } from 'kysely';
import type { AuthMethodInput } from '#shared/webhooks/auth-methods.ts';
import type { ExtractValue, Matcher } from '#shared/api/matchers.ts';
import type { DeliveryResult } from '#shared/deliveries.ts';
import type { Flag, ResourceColumns } from './columns.ts';

export interface IntegrationTables {
  integrations: ResourceColumns & {
    /** At most one of both. */
    template_id: number | null;
    workflow_id: number | null;
    auth_method: AuthMethodInput;
    auth_header: string;
    auth_secret_id: number | null;
    searchable: Flag;
    /** JSON of `TaskParams` without its references; null for none. */
    task_params: string | null;
    /** Null: the inventory of the template. */
    inventory_id: number | null;
    /** Null: that of the template. */
    execution_environment_id: Generated<number | null>;
    /** May be a deleted user; null: unknown. */
    changed_by: number | null;
  };
  integration_aliases: {
    id: Generated<number>;
    project_id: number;
    /** Null: the address reaches every searchable integration of the project. */
    integration_id: number | null;
    alias_hash: string;
    /** Sealed. */
    alias: string;
  };
  integration_values: {
    id: Generated<number>;
    project_id: number;
    integration_id: number;
    name: string;
    value_source: ExtractValue['value_source'];
    body_data_type: ExtractValue['body_data_type'];
    key: string;
    variable_type: Generated<ExtractValue['variable_type']>;
    variable: string;
  };
  integration_matchers: {
    id: Generated<number>;
    project_id: number;
    integration_id: number;
    name: string;
    match_type: Matcher['match_type'];
    body_data_type: Matcher['body_data_type'];
    key: string;
    method: Matcher['method'];
    value: string;
  };
  integration_deliveries: {
    id: Generated<number>;
    project_id: number;
    integration_id: number;
    created: string;
    ip: string;
    method: string;
    result: DeliveryResult;
    reason: string;
    params: string;
    task_id: number | null;
    workflow_run_id: number | null;
    replay_of: number | null;
    /** Idempotency key of the sender; set and unique for deliveries that launched something. */
    sender_id: string | null;
    /** Sealed JSON of headers and body. */
    request: string;
  };
  /** Recent signed requests, against replay attacks. */
  integration_signed: {
    project_id: number;
    integration_id: number;
    signed: string;
    created: string;
  };
}
