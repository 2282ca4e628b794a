// The execution environments of tests: what a test says about one, and everything else as it usually is.

import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';

export const toolsEnvironment = (change: Partial<ExecutionSnapshot>): ExecutionSnapshot => ({
  id: 1,
  name: 'Tools',
  kind: 'tools',
  folder: '',
  packages: [],
  python: '',
  index_url: '',
  image: '',
  pull: 'missing',
  registry_key_id: null,
  network: '',
  mounts: [],
  user: '',
  memory_limit_mib: 0,
  cpu_limit_percent: 0,
  process_limit: 0,
  memory_request_mib: 0,
  cpu_request_percent: 0,
  node_labels: [],
  tolerations: [],
  service_account: '',
  pod_labels: [],
  pull_secrets: [],
  ...change,
});
