import type { Integration, NewIntegration } from '#shared/api/integrations.ts';
import type { Context } from '../../context/context.ts';
import { fromTaskParams } from '../../db/task-params.ts';
import { checkAll, failFields, fieldError } from '../../lib/errors.ts';
import { hasKey, requireKey } from '../../resources/keys/keys.ts';
import { checkReferences, resource, type Target } from '../../resources/resource.ts';
import { paramsReferences } from '../tasks/launch/launch-references.ts';
import { hasTemplate } from '../templates/templates.ts';
import { hasWorkflow } from '../workflows/definitions/workflows.ts';
import { integrationStore, listStarting } from './integrations.store.ts';

const integrations = resource(integrationStore, 'integrations', 'integration');
export const requireIntegration = integrations.require;
export const removeIntegration = integrations.remove;
export const integrationRefs = integrations.refs;
export const listIntegrations = listStarting;

export async function createIntegration(
  ctx: Context,
  projectId: number,
  input: NewIntegration,
): Promise<Integration> {
  await check(ctx, projectId, input);
  return integrations.create(ctx, projectId, toValues(ctx, input));
}

export async function changeIntegration(
  ctx: Context,
  target: Target,
  given: NewIntegration,
): Promise<void> {
  await check(ctx, target.projectId, given);
  const { task_params: stored } = await requireIntegration(ctx, target.projectId, target.id);
  // Options that were kept are of no use to a workflow.
  const kept = given.task_params === undefined ? stored : given.task_params;
  const task_params = given.workflow_id === null ? kept : null;
  await integrations.change(ctx, target, toValues(ctx, { ...given, task_params }));
}

async function check(ctx: Context, projectId: number, input: NewIntegration): Promise<void> {
  const { template_id, workflow_id, auth_secret_id: keyId, task_params: params } = input;
  await checkAll([
    () =>
      checkReferences(ctx, projectId, {
        template_id: [template_id, hasTemplate],
        workflow_id: [workflow_id, hasWorkflow],
        ...paramsReferences(params),
      }),
    () => checkSecret(ctx, projectId, keyId),
  ]);
}

async function checkSecret(ctx: Context, projectId: number, keyId: number | null): Promise<void> {
  await checkReferences(ctx, projectId, { auth_secret_id: [keyId, hasKey] });
  if (keyId === null) return;
  const { type } = await requireKey(ctx, projectId, keyId);
  if (type === 'login_password') return;
  throw failFields(fieldError('auth_secret_id', 'integration.secret_type'));
}

const toValues = ({ by }: Context, { task_params: params, ...input }: NewIntegration) => ({
  ...input,
  changed_by: by.userId,
  ...fromTaskParams(params ?? null),
});
