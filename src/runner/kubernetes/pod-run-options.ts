import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import type { KubernetesConfig } from '../config/runner-config.ts';
import type { TaskLimits } from '../programs/task-limits.ts';
import type { TaskControl } from '../runs/control.ts';
import type { BeginRequest } from '../side-car/requests.ts';
import type { Cluster } from './cluster.ts';
import type { PodWatch } from './pod-watch.ts';

export interface PodRunOptions {
  ctx: RunContext;
  config: KubernetesConfig;
  cluster: Cluster;
  watch: PodWatch;
  /** The value of the runner's label. */
  runner: string;
  task: RunnerTask;
  execution: ExecutionSnapshot;
  limits: TaskLimits;
  control: TaskControl;
  /** The request that starts the task, with a new credential. */
  begin: () => Promise<BeginRequest>;
  /** Whether the server has taken the task from this runner, or parked or ended it. */
  isRevoked: () => Promise<boolean>;
  /** Whether the task waits for a confirmation, with its pod. */
  isParked: () => Promise<boolean>;
}
