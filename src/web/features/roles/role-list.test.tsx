import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { installationRoles, type ListedRole, projectRoles } from '#shared/api/roles.ts';
import { builtInRights, type Right } from '#shared/rights.ts';
import { refusalOf, renderAt, replyOf, revision } from '../../../../test/components/render.tsx';
import { aRole } from '../../../../test/components/samples.ts';
import { useListAddress } from '../../../../test/components/use-list-address.ts';
import { InstallationRoleList, ProjectRoleList } from './role-list.tsx';

interface Setup {
  rights?: Iterable<Right>;
  roles?: ListedRole[];
}

function Roles({ rights }: { rights: ReadonlySet<Right> }) {
  return (
    <ProjectRoleList
      projectId={1}
      may={(right) => rights.has(right)}
      mayManage={rights.has('role.edit')}
      countOf={(slug) => (slug === 'owner' ? 2 : 0)}
      tabs={null}
      address={useListAddress()}
    />
  );
}

async function openRoles({ rights = builtInRights.owner, roles = [aRole] }: Setup = {}) {
  const view = await renderAt(<Roles rights={new Set(rights)} />, {
    replies: [
      replyOf(projectRoles.list, roles),
      replyOf(projectRoles.one, aRole),
      replyOf(projectRoles.create, aRole),
      replyOf(projectRoles.update, undefined),
    ],
  });
  await view.findByRole('row', { name: /^Owner/ });
  const row = (name: string) => within(view.getByRole('row', { name: new RegExp(`^${name}`) }));
  const box = (name: string) => view.getByRole('checkbox', { name }) as HTMLInputElement;
  const buttons = (name: string) =>
    row(name)
      .queryAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent);
  return { ...view, row, box, buttons };
}

test('the list has the built-in roles, with copies only, and those of the project', async () => {
  const installation = { ...aRole, id: 2, project_id: null, slug: 'audit', name: 'Audit' };
  const { buttons, row } = await openRoles({ roles: [aRole, installation] });
  expect(buttons('Owner')).toEqual(['Owner', 'Copy role Owner']);
  expect(row('Owner').getByText('Built-in')).toBeTruthy();
  expect(row('Owner').getByText('2')).toBeTruthy();
  expect(buttons('On-call')).toEqual(['Copy role On-call', 'Edit On-call', 'Delete On-call']);
  expect(buttons('Audit')).toEqual(['Audit', 'Copy role Audit']);
  expect(row('Audit').getByText('Installation')).toBeTruthy();
});

test('whoever may not change roles reads what each allows', async () => {
  const { buttons, press, findByRole } = await openRoles({ rights: [] });
  expect(buttons('On-call')).toEqual(['On-call']);
  await press('On-call');
  const dialog = within(await findByRole('dialog', { name: 'Rights of On-call' }));
  expect(dialog.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Re-run tasks',
    'Stop tasks',
  ]);
});

test('a role with a right that the user lacks is neither copied nor changed', async () => {
  const { buttons } = await openRoles({ rights: ['role.edit', 'task.stop'] });
  expect(buttons('On-call')).toEqual(['On-call']);
});

test('rights are ticked one by one and by group, and implied ones cannot be taken away', async () => {
  const { press, fill, tick, box, findByLabelText, sent, queryByRole, user } = await openRoles();
  await press('New role');
  await findByLabelText('Search rights');
  await fill('Name', 'Custodian');
  await tick('Edit inventories');
  expect(box('Read inventories')).toMatchObject({ checked: true, disabled: true });
  await tick('All rights of “Keys”');
  await tick('Forget host keys');
  expect(box('All rights of “Keys”').indeterminate).toBe(true);
  await fill('Search rights', 'inventories read');
  expect(queryByRole('checkbox', { name: 'Use keys' })).toBeNull();
  await user.clear(await findByLabelText('Search rights'));
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    name: 'Custodian',
    description: '',
    rights: [
      'template.see',
      'view.see',
      'task.log',
      'workflow.see',
      'workflow.approve',
      'key.see',
      'key.use',
      'key.edit',
      'host_config.edit',
      'repository.see',
      'inventory.see',
      'inventory.read',
      'inventory.edit',
      'environment.see',
      'execution_environment.see',
    ],
  });
});

test('rights that the user lacks say so and stay as they are, also by group', async () => {
  const { press, tick, box, findByLabelText, findAllByText } = await openRoles({
    rights: ['role.edit', 'task.stop', 'workflow.approve'],
  });
  await press('New role');
  await findByLabelText('Search rights');
  expect((await findAllByText('You do not have this right.')).length).toBeGreaterThan(30);
  expect(box('Edit templates').disabled).toBe(true);
  await tick('All rights of “Templates and tasks”');
  expect(box('Stop tasks').checked).toBe(true);
  expect(box('Edit templates').checked).toBe(false);
});

test('a copy begins with the name, the sentence and the rights of its role', async () => {
  const { press, findByDisplayValue, box } = await openRoles();
  await press('Copy role Manager');
  expect(await findByDisplayValue('Manager (copy)')).toBeTruthy();
  expect(box('Edit templates').checked).toBe(true);
  expect(box('Manage the team').checked).toBe(false);
});

test('a change is sent with its revision, and a taken name is said', async () => {
  const { press, answer, user, getByRole, fill, findByText, sent } = await openRoles();
  answer(
    refusalOf(projectRoles.update, {
      status: 403,
      code: 'permission.beyond',
      params: { rights: 'key.edit, task.delete' },
    }),
  );
  await user.click(getByRole('button', { name: 'Edit On-call' }));
  await fill('Name', 'Night shift');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ ifMatch: revision, body: { name: 'Night shift' } });
  expect(await findByText(/that you do not have yourself: Edit keys, Delete tasks\./)).toBeTruthy();
});

function Installation() {
  return <InstallationRoleList address={useListAddress()} above={null} tabs={null} />;
}

test('roles of the installation are changed with all rights', async () => {
  const own = { ...aRole, project_id: null };
  const view = await renderAt(<Installation />, {
    replies: [
      replyOf(installationRoles.list, [own]),
      replyOf(installationRoles.one, own),
      replyOf(installationRoles.update, undefined),
      replyOf(projectRoles.list, [own]),
    ],
  });
  await view.user.click(await view.findByRole('button', { name: 'Edit On-call' }));
  await view.tick('Delete the project');
  await view.press('Save');
  await waitFor(() => expect(view.sent).toHaveLength(1));
  expect(view.sent[0]).toMatchObject({
    path: '/api/roles/1',
    body: { rights: ['project.delete', 'template.see', 'task.restart', 'task.stop'] },
  });
});
