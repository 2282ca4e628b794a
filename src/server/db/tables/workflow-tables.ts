import type { Generated } from 'kysely';
import type { NodeState, RunStatus } from '#shared/workflows/run-status.ts';
import type { Flag, ResourceColumns } from './columns.ts';

export interface WorkflowTables {
  workflows: ResourceColumns & {
    description: string;
    view_id: number | null;
    /** JSON of `WorkflowGraph`. */
    graph: string;
  };
  workflow_uses: {
    id: Generated<number>;
    project_id: number;
    workflow_id: number;
    template_id: number | null;
    used_workflow_id: number | null;
    execution_environment_id: Generated<number | null>;
  };
  workflow_runs: {
    id: Generated<number>;
    project_id: number;
    workflow_id: number;
    /** At the launch. */
    name: string;
    status: RunStatus;
    created: string;
    end: string | null;
    user_id: number | null;
    /** Who launched it, or last changed the schedule or integration that did, also of the parent run. */
    requested_by: number | null;
    /** The automatic launcher; null: none, or deleted. */
    schedule_id: number | null;
    integration_id: number | null;
    /** The login of the launcher; empty if no user. */
    username: string;
    message: string;
    /** JSON of `WorkflowGraph`, at the launch. */
    graph: string;
    force_stop: Generated<Flag>;
    /** The parent run and the key of its node. */
    parent_run_id: number | null;
    parent_node: string | null;
    rerun_of: number | null;
    /** Sealed JSON of `Answers` for its tasks. */
    extracted: string | null;
  };
  workflow_nodes: {
    /** Binds the sealed answers. */
    id: Generated<number>;
    project_id: number;
    run_id: number;
    node: string;
    state: NodeState;
    /** The newest task or run; null: none, or deleted. */
    task_id: number | null;
    child_run_id: number | null;
    begin: string | null;
    end: string | null;
    /** The end of a wait, or the timeout of an approval. */
    until: string | null;
    /** JSON of `Reason`; null: none, or that of its task. */
    reason: string | null;
    is_kept: Generated<Flag>;
    decided_by: string | null;
    /** JSON of `Answers` of an approval. */
    answers: Generated<string>;
    /** Sealed JSON of `Answers`. */
    secret: string | null;
  };
  workflow_decisions: {
    id: Generated<number>;
    run_id: number;
    time: string;
    code: string;
    /** JSON: parameters of the message. */
    params: string;
    /** JSON of `Cause[]`. */
    because: string;
  };
}
