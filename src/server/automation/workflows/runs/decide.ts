// Approves or rejects nodes of runs, with the answers to the fields of an approval.

import type { Approval } from '#shared/api/workflow-runs.ts';
import type { ApprovalNode } from '#shared/workflows/graph.ts';
import { isRunFinished } from '#shared/workflows/run-status.ts';
import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { fail } from '../../../lib/errors.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import { sealInto } from '../../../vault/sealed-texts.ts';
import { readAnswers } from '../../tasks/launch/survey.ts';
import { applyRunEvent } from './advance.ts';
import { listApprovers } from './begin-node.ts';
import { recordRun } from './create-run.ts';
import { insertDecision, listNodes, updateNode } from './nodes.store.ts';
import { lockRun, requesterOf, type RunRow } from './runs.store.ts';
import { requireRunRow } from './get-runs.ts';

interface ApprovalRef {
  projectId: number;
  runId: number;
  /** The key of the node. */
  key: string;
}

export async function decideNode(
  ctx: Context,
  { projectId, runId, key }: ApprovalRef,
  approval: Approval,
): Promise<void> {
  const run = await requireRunRow(ctx, projectId, runId);
  const node = run.graph.nodes.find((one) => one.key === key);
  if (!node) throw fail('workflow_run.node_unknown', { node: key });
  if (node.type !== 'approval') throw fail('workflow_run.not_waiting', { node: node.name });
  await requireApprover(ctx, run, node);
  const asked = {
    survey_vars: approval.approve ? node.fields : [],
    allow_any_variable_in_task: false,
  };
  const answers = approval.approve
    ? readAnswers(asked, approval.answers, approval.secret)
    : { plain: {}, secret: {} };
  await inTransaction(ctx, async (inner) => {
    const locked = await lockRun(inner.db, runId);
    const row = (await listNodes(inner.db, [runId])).find((one) => one.node === key);
    if (!locked || isRunFinished(locked.status) || row?.state !== 'active') {
      throw fail('workflow_run.not_waiting', { node: node.name });
    }
    const { username: user } = inner.by;
    const change = { answers: answers.plain, decided_by: user };
    await updateNode(inner.db, runId, key, change);
    if (Object.keys(answers.secret).length > 0) {
      await sealInto(inner, sealedColumns.approvalAnswers, row, JSON.stringify(answers.secret));
    }
    await note(inner, run, node, approval);
    const outcome = approval.approve ? 'success' : 'failure';
    const reason = approval.approve
      ? null
      : ({ code: 'reason.rejected', params: { user, node: node.name } } as const);
    await applyRunEvent(inner, runId, { type: 'ended', node: key, outcome, reason });
  });
}

async function requireApprover(ctx: Context, run: RunRow, node: ApprovalNode): Promise<void> {
  const { userId } = ctx.by;
  if (node.not_launcher && userId !== null && userId === requesterOf(run)) {
    throw fail('workflow_run.own_run', { node: node.name });
  }
  const approvers = await listApprovers(ctx, run, node);
  if (userId === null || !approvers.includes(userId)) {
    throw fail('workflow_run.not_approver', { node: node.name });
  }
}

async function note(
  ctx: Context,
  run: RunRow,
  node: ApprovalNode,
  { approve, comment }: Approval,
): Promise<void> {
  const verb = approve ? 'approved' : 'rejected';
  const params = { user: ctx.by.username, node: node.name, ...(comment && { comment }) };
  const code = comment ? (`decision.${verb}_saying` as const) : (`decision.${verb}` as const);
  const time = ctx.clock.now().toISOString();
  await insertDecision(ctx.db, run.id, { time, code, params });
  await recordRun(ctx, verb, run, { node: node.name });
}
