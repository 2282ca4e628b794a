import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectRunners } from '#shared/api/runners.ts';
import { renderAt, replyOf } from '../../../../test/components/render.tsx';
import { aRunner } from '../../../../test/components/samples.ts';
import { RunnerList } from './runner-list.tsx';

test('a runner of a cluster only takes tasks in pods, and shows the version of the cluster', async () => {
  const ready = { ...aRunner, state: 'ready' as const };
  const view = await renderAt(<RunnerList projectId={1} />, {
    replies: [
      replyOf(projectRunners.list, [
        { ...ready, name: 'machine', container_engine: 'podman 5.4.2' },
        { ...ready, id: 4, name: 'cluster', container_engine: 'kubernetes 1.37.2' },
      ]),
    ],
  });
  const cluster = within(await view.findByRole('row', { name: /^cluster/ }));
  expect(cluster.getByText('kubernetes 1.37.2')).toBeTruthy();
  expect(cluster.getByText('Pods only')).toBeTruthy();
  const machine = within(view.getByRole('row', { name: /^machine/ }));
  expect(machine.getByText('podman 5.4.2')).toBeTruthy();
  expect(machine.queryByText('Pods only')).toBeNull();
});
