// Tests which pods a runner knows when lists and events of a cluster come in another order than they were made.

import { createLog } from '../../node/log/log.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { Cluster, Pod, PodEvent } from './cluster.ts';
import { PodWatch } from './pod-watch.ts';

const pod = (name: string): Pod => ({ kind: 'Pod', metadata: { name } });

test('a list from before an event does not remove the pod of the event', async () => {
  let emit: (event: PodEvent) => void = () => undefined;
  let lists = [Promise.resolve({ pods: [pod('first')], resourceVersion: '1' })];
  const cluster = {
    listPods: () => lists.shift(),
    watchPods(_query: object, onEvent: typeof emit, signal: AbortSignal) {
      emit = onEvent;
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  } as unknown as Cluster;
  const watch = new PodWatch(cluster, 'label', createLog('silent'));
  onTestFinished(() => watch.close());
  await watch.start();
  const late = Promise.withResolvers<{ pods: Pod[]; resourceVersion: string }>();
  lists = [late.promise];
  const refreshed = watch.refresh();
  emit({ type: 'ADDED', pod: pod('second') });
  late.resolve({ pods: [pod('first'), pod('third')], resourceVersion: '1' });
  await refreshed;
  expect(watch.all.map(({ metadata }) => metadata?.name)).toEqual(['first', 'second', 'third']);
});
