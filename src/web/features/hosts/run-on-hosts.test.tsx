// Running a template on the selected hosts of the list.

import { within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { type Host, hosts } from '#shared/api/hosts.ts';
import { templates } from '#shared/api/templates.ts';
import { renderAt, replyOf } from '../../../../test/components/render.tsx';
import { aTemplate } from '../../../../test/components/samples.ts';
import { HostList } from './host-list.tsx';
import type { RunOnHosts } from './run-on-hosts.tsx';

const aHost = (id: number, name: string): Host => ({
  id,
  name,
  inventories: [],
  last_run: null,
  last_failure: null,
  results: [],
});

const all = [
  aHost(1, 'web1'),
  aHost(2, 'db-1.example.com'),
  aHost(3, '10.0.0.1:2222'),
  aHost(4, 'web2'),
];

const asking = { ...aTemplate, app: 'ansible', allow_override_limit_in_task: true };

async function openHosts(onRun: RunOnHosts | undefined) {
  const view = await renderAt(
    <HostList
      projectId={1}
      filter={{}}
      onFilter={() => undefined}
      trail={undefined}
      onTrail={() => undefined}
      sort={undefined}
      onSort={() => undefined}
      seesInventories
      renderTask={String}
      onRun={onRun}
    />,
    {
      replies: [
        replyOf(hosts.list, all),
        replyOf(templates.list, [
          { ...asking, id: 5, name: 'Patch' },
          { ...asking, id: 6, name: 'Restart' },
          { ...asking, id: 7, name: 'Fixed', allow_override_limit_in_task: false },
          { ...asking, id: 8, name: 'Script', app: 'bash' },
        ]),
      ],
    },
  );
  await view.findByRole('link', { name: 'web1' });
  return view;
}

test('the launch of the chosen template gets the selected hosts as its limit', async () => {
  const onRun = vi.fn<RunOnHosts>();
  const { user, getByRole, press, findByRole, sent } = await openHosts(onRun);
  await user.click(getByRole('checkbox', { name: 'Select all 3' }));
  await press('Run a template on 3 hosts');
  const question = within(await findByRole('dialog', { name: 'Run a template on 3 hosts' }));
  const names = question.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(names).toEqual(['web1', 'db-1.example.com', 'web2']);
  const button = question.getByRole('button', { name: 'Run a template on 3 hosts' });
  expect((button as HTMLButtonElement).disabled).toBe(true);
  await user.click(await question.findByRole('combobox', { name: /Template/ }));
  const list = within(await findByRole('listbox', { name: /Template/ }));
  const options = list.getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['Patch', 'Restart']);
  await user.click(list.getByRole('option', { name: 'Restart' }));
  await user.click(button);
  expect(onRun.mock.calls).toEqual([[{ templateId: 6, limit: 'web1,db-1.example.com,web2' }]]);
  expect(sent).toEqual([]);
});

test('a name that Ansible reads as several patterns cannot be selected', async () => {
  const { queryByRole } = await openHosts(() => undefined);
  expect(queryByRole('checkbox', { name: 'Select 10.0.0.1:2222' })).toBeNull();
});

test('who may run nothing selects no hosts', async () => {
  const { queryByRole } = await openHosts(undefined);
  expect(queryByRole('checkbox')).toBeNull();
});
