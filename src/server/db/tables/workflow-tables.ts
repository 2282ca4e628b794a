// The tables of workflows and of their runs.

import type { Generated } from 'kysely';
import type { NodeState, RunStatus } from '#shared/workflows/run-status.ts';
import type { Flag, ResourceColumns } from './columns.ts';

interface Workflows extends ResourceColumns {
  description: string;
  view_id: number | null;
  /** JSON of `WorkflowGraph`. */
  graph: string;
}

/** A template or another workflow that a node of a workflow uses. */
interface WorkflowUses {
  id: Generated<number>;
  project_id: number;
  workflow_id: number;
  template_id: number | null;
  used_workflow_id: number | null;
}

interface WorkflowRuns {
  id: Generated<number>;
  project_id: number;
  workflow_id: number;
  /** The name of the workflow at the launch. */
  name: string;
  status: RunStatus;
  created: string;
  end: string | null;
  user_id: number | null;
  /**
   * Who asked for the run: who launched it, or who made or last changed the schedule or integration that
   * did, also of the run that this one is inside of. Null: not known.
   */
  requested_by: number | null;
  /** The schedule or integration that launched the run; null: neither, or it has been deleted. */
  schedule_id: number | null;
  integration_id: number | null;
  /** The login of who launched the run; empty if no user did. */
  username: string;
  message: string;
  /** The graph at the launch: JSON of `WorkflowGraph`. */
  graph: string;
  /** Whether a run that stops is to end its programs at once. */
  force_stop: Generated<Flag>;
  /** The run in which this one is a node, and the key of the node; null: somebody launched it. */
  parent_run_id: number | null;
  parent_node: string | null;
  /** The run that this one runs again; null for none. */
  rerun_of: number | null;
  /** Values that become variables of its tasks: sealed JSON of `Answers`; null for none. */
  extracted: string | null;
}

interface WorkflowNodes {
  /** Binds the sealed answers to the row. */
  id: Generated<number>;
  project_id: number;
  run_id: number;
  /** The key of the node in the graph of the run. */
  node: string;
  state: NodeState;
  /** Its newest task or run; null: it has none, or it has been deleted. */
  task_id: number | null;
  child_run_id: number | null;
  begin: string | null;
  end: string | null;
  /** When a wait ends, or an approval is decided by itself; null: never. */
  until: string | null;
  /** Why it failed: JSON of `Reason`; null: it did not, or its task tells. */
  reason: string | null;
  /** Whether it succeeded in the run that this one runs again. */
  is_kept: Generated<Flag>;
  /** The login of who decided its approval. */
  decided_by: string | null;
  /** The answers given with the approval: JSON of `Answers`. */
  answers: Generated<string>;
  /** Its secret answers: sealed JSON of `Answers`. */
  secret: string | null;
}

interface WorkflowDecisions {
  id: Generated<number>;
  run_id: number;
  time: string;
  code: string;
  /** JSON: the parameters of the sentence. */
  params: string;
  /** JSON of `Cause[]`. */
  because: string;
}

export interface WorkflowTables {
  workflows: Workflows;
  workflow_uses: WorkflowUses;
  workflow_runs: WorkflowRuns;
  workflow_nodes: WorkflowNodes;
  workflow_decisions: WorkflowDecisions;
}
