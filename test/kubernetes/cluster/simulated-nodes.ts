// Nodes that kwok simulates: their pods are Running without a container, thousands of them on one machine.

import { CoreV1Api, type KubeConfig, type V1Node, type V1PodSpec } from '@kubernetes/client-node';
import { until } from '../../helpers/until.ts';

const key = 'kwok.x-k8s.io/node';
const resources = { cpu: '1k', memory: '1Ti', pods: '2k' };

/** What the specification of a pod needs to be placed on a simulated node, where no other pod is. */
export const onSimulatedNode: Pick<V1PodSpec, 'nodeSelector' | 'tolerations'> = {
  nodeSelector: { type: 'kwok' },
  tolerations: [{ key, operator: 'Exists', effect: 'NoSchedule' }],
};

const nodeNamed = (name: string): V1Node => ({
  metadata: {
    name,
    annotations: { [key]: 'fake' },
    labels: { ...onSimulatedNode.nodeSelector, 'kubernetes.io/os': 'linux' },
  },
  spec: { taints: [{ key, value: 'fake', effect: 'NoSchedule' }] },
  status: { allocatable: resources, capacity: resources },
});

export const isReady = (node: V1Node): boolean =>
  node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ??
  false;

/** Adds nodes for which kwok, which has to run, reports what a kubelet would. */
export async function addSimulatedNodes(admin: KubeConfig, count: number): Promise<void> {
  const core = admin.makeApiClient(CoreV1Api);
  const { items } = await core.listNode({ labelSelector: 'type=kwok' });
  const names = Array.from({ length: count }, (_, index) => `simulated-${items.length + index}`);
  for (const name of names) await core.createNode({ body: nodeNamed(name) });
  await until(async () => {
    const nodes = await core.listNode({ labelSelector: 'type=kwok' });
    return nodes.items.length === items.length + count && nodes.items.every(isReady);
  });
}
