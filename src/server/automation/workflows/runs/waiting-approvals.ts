// The approvals that wait for a user, in all their projects or in one of them.

import {
  MAX_NEXT_NODES,
  MAX_WAITING_APPROVALS,
  type WaitingApproval,
} from '#shared/api/workflow-runs.ts';
import { nodesAfter } from '#shared/workflows/nodes-after.ts';
import type { Context } from '../../../context/context.ts';
import { isApprover } from './begin-node.ts';
import { listActiveNodes } from './nodes.store.ts';
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
  { project_id: only }: { project_id?: number | undefined },
): Promise<WaitingApproval[]> {
  const active = await listActiveNodes(db, {
    userId: caller.userId,
    projectIds: [caller.token?.projectId, only].filter((id) => typeof id === 'number'),
    limit: MAX_ACTIVE_NODES,
  });
  const graphs = await listGraphs(db, [...new Set(active.map(({ run_id: id }) => id))]);
  return active
    .flatMap(({ role, requested_by, user_id, ...row }) => {
      const graph = graphs.get(row.run_id);
      const node = graph?.nodes.find(({ key }) => key === row.node);
      if (!graph || node?.type !== 'approval') return [];
      const user = { user_id: caller.userId, role };
      if (!isApprover({ requested_by, user_id }, node, user)) return [];
      const { name: node_name, question, fields } = node;
      const next = nodesAfter(graph, node.key).slice(0, MAX_NEXT_NODES);
      const names = next.map(({ name }) => name);
      return [{ ...row, node_name, question, has_fields: fields.length > 0, next: names }];
    })
    .slice(0, MAX_WAITING_APPROVALS);
}
