// The approvals that wait for a user, in all their projects.

import { MAX_WAITING_APPROVALS, type WaitingApproval } from '#shared/api/workflow-runs.ts';
import type { Role } from '#shared/permissions.ts';
import type { Context } from '../../../context/context.ts';
import type { Db } from '../../../db/open.ts';
import { isApprover } from './begin-node.ts';
import { listGraphs } from './runs.store.ts';

interface Caller {
  userId: number;
  token: { projectId: number | null } | null;
}

// Of the active nodes without a task, the approvals are found in the graphs.
const MAX_ACTIVE_NODES = 500;

export async function getWaitingApprovals(
  { db }: Context,
  caller: Caller,
): Promise<WaitingApproval[]> {
  const active = await listActiveNodes(db, caller);
  const graphs = await listGraphs(db, [...new Set(active.map(({ run_id: id }) => id))]);
  return active
    .flatMap(({ role, requested_by, user_id, ...row }) => {
      const node = graphs.get(row.run_id)?.nodes.find(({ key }) => key === row.node);
      if (node?.type !== 'approval') return [];
      const user = { user_id: caller.userId, role };
      if (!isApprover({ requested_by, user_id }, node, user)) return [];
      const { name: node_name, question, fields } = node;
      return [{ ...row, node_name, question, has_fields: fields.length > 0 }];
    })
    .slice(0, MAX_WAITING_APPROVALS);
}

/** Oldest first. */
const listActiveNodes = (db: Db, { userId, token }: Caller) =>
  db
    .selectFrom('workflow_nodes')
    .innerJoin('workflow_runs', 'workflow_runs.id', 'workflow_nodes.run_id')
    .innerJoin('projects', 'projects.id', 'workflow_runs.project_id')
    .innerJoin('members', 'members.project_id', 'projects.id')
    .where('members.user_id', '=', userId)
    .where('workflow_nodes.state', '=', 'active')
    .where('workflow_nodes.task_id', 'is', null)
    .where('workflow_nodes.child_run_id', 'is', null)
    .where('workflow_runs.status', '=', 'running')
    .$if(typeof token?.projectId === 'number', (query) =>
      query.where('projects.id', '=', token?.projectId ?? 0),
    )
    .select([
      'projects.id as project_id',
      'projects.name as project_name',
      'workflow_runs.id as run_id',
      'workflow_runs.name',
      'workflow_runs.user_id',
      'workflow_runs.requested_by',
      'workflow_nodes.node',
      'workflow_nodes.begin',
      'workflow_nodes.until',
      'members.role',
    ])
    .$narrowType<{ role: Role }>()
    .orderBy('workflow_nodes.id')
    .limit(MAX_ACTIVE_NODES)
    .execute();
