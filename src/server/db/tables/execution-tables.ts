import type { ExecutionEnvironment } from '#shared/api/execution-environments.ts';
import type { ResourceColumns } from './columns.ts';

export interface ExecutionTables {
  execution_environments: Omit<ResourceColumns, 'project_id'> & {
    /** Null: the installation. Never changes. */
    project_id: number | null;
    description: string;
    kind: ExecutionEnvironment['kind'];
    folder: string;
    /** JSON: requirements of pip. */
    packages: string;
    python: string;
    index_url: string;
    image: string;
    pull: ExecutionEnvironment['pull'];
    /** A key of the same project. */
    registry_key_id: number | null;
    network: string;
    /** JSON of `ExecutionMount[]`. */
    mounts: string;
    user: string;
    /** Resource limits; 0 for none. */
    memory_limit_mib: number;
    cpu_limit_percent: number;
    process_limit: number;
    /** What the node of a pod has to have free; 0: the limit. */
    memory_request_mib: number;
    cpu_request_percent: number;
    /** JSON: labels of Kubernetes, as `name=value`. */
    node_labels: string;
    /** JSON: taints, as kubectl writes them. */
    tolerations: string;
    service_account: string;
    /** JSON: labels, as `name=value`. */
    pod_labels: string;
    /** JSON: names of Secrets. */
    pull_secrets: string;
  };
}
