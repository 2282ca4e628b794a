import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { executionEnvironments } from '#shared/api/execution-environments.ts';
import { renderAt, replyOf } from '../../../../test/components/render.tsx';
import { anExecutionEnvironment } from '../../../../test/components/samples.ts';
import { ExecutionEnvironmentList } from './execution-environment-list.tsx';

const address = {
  search: '',
  onSearch: () => {},
  sort: '',
  onSort: () => {},
  page: 1,
  onPage: () => {},
  edit: null,
  onEdit: () => {},
};

test('a project changes its own execution environments, and not those of the installation', async () => {
  const view = await renderAt(
    <ExecutionEnvironmentList projectId={1} mayManage address={address} />,
    {
      replies: [
        replyOf(executionEnvironments.list, [
          { ...anExecutionEnvironment, unavailable: 'no_container_engine' },
          {
            ...anExecutionEnvironment,
            id: 2,
            project_id: null,
            name: 'For all',
            kind: 'tools',
            image: '',
            folder: '/opt/tools',
          },
          {
            ...anExecutionEnvironment,
            id: 3,
            name: 'In the cluster',
            kind: 'pod',
            unavailable: 'no_kubernetes_runner',
          },
        ]),
      ],
    },
  );
  const own = within(await view.findByRole('row', { name: /^Network modules/ }));
  expect(own.getByRole('link', { name: 'Network modules' })).toBeTruthy();
  expect(own.getByRole('button', { name: 'Delete Network modules' })).toBeTruthy();
  expect(own.getByText('Cannot run')).toBeTruthy();
  const shared = within(view.getByRole('row', { name: /^For all/ }));
  expect(shared.queryAllByRole('button')).toEqual([]);
  expect(shared.queryAllByRole('link')).toEqual([]);
  expect(shared.getByText('Installation')).toBeTruthy();
  expect(shared.getByText('/opt/tools')).toBeTruthy();
  expect(shared.getByText('Available')).toBeTruthy();
  const pod = within(view.getByRole('row', { name: /^In the cluster/ }));
  expect(pod.getByText('Pod')).toBeTruthy();
  expect(pod.getByText(anExecutionEnvironment.image)).toBeTruthy();
  expect(pod.getByTitle(/^Pods cannot run/)).toBeTruthy();
});
