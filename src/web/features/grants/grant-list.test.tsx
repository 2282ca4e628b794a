import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Grant, grants, restrictions } from '#shared/api/grants.ts';
import { members } from '#shared/api/members.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { templates } from '#shared/api/templates.ts';
import { noLimits } from '#shared/grants/limits.ts';
import { type May, type RightPlace } from '../../lib/roles/may.ts';
import { renderAt, replyOf } from '../../../../test/components/render.tsx';
import { aRole, aTemplate } from '../../../../test/components/samples.ts';
import { useListAddress } from '../../../../test/components/use-list-address.ts';
import { GrantList } from './grant-list.tsx';

const aGrant: Grant = {
  id: 1,
  user_id: 2,
  username: 'vera',
  user_name: 'Vera Vendor',
  object_type: 'template',
  object_id: 1,
  object_name: 'Deploy',
  role: 'task_runner',
  role_name: 'Task Runner',
  limits: { ...noLimits, branches: ['main'] },
  from_rules: false,
  granted_by: 'olga',
  created: '2026-11-30T10:00:00.000Z',
};

const vera = {
  id: 2,
  username: 'vera',
  name: 'Vera Vendor',
  role: 'guest',
  role_name: 'Guest',
  from_rules: false,
};

function Screen({ may }: { may: May }) {
  return (
    <GrantList
      projectId={1}
      filter={{}}
      onFilter={() => {}}
      may={may}
      renderZone={() => null}
      tabs={null}
      address={useListAddress()}
      trail={undefined}
      onTrail={() => {}}
    />
  );
}

const openGrants = (listed: Grant[], may: May = () => true) =>
  renderAt(<Screen may={may} />, {
    replies: [
      replyOf(grants.list, listed),
      replyOf(grants.one, aGrant),
      replyOf(grants.create, aGrant),
      replyOf(grants.update, undefined),
      replyOf(restrictions.list, []),
      replyOf(members.list, [vera]),
      replyOf(projectRoles.list, [aRole]),
      replyOf(templates.list, [aTemplate]),
    ],
  });

test('a grant is listed with its limits in words, and its role is changed', async () => {
  const { findByRole, press, user, sent } = await openGrants([aGrant]);
  const row = within(await findByRole('row', { name: /Vera Vendor/ }));
  expect(row.getByText('Task Runner')).toBeTruthy();
  expect(row.getByText('only branches main')).toBeTruthy();
  expect(row.getByRole('link', { name: 'Deploy' }).getAttribute('href')).toBe(
    '/project/1/templates/1',
  );
  await user.click(row.getByRole('button', { name: 'Edit Vera Vendor · Deploy' }));
  await user.click(await findByRole('checkbox', { name: 'Dry run only' }));
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    role: 'task_runner',
    limits: { ...noLimits, branches: ['main'], dry_run: true },
  });
});

test('whoever gives a role chooses the person, the object, the role and its limits', async () => {
  const view = await openGrants([]);
  const { findByRole, findByText, press, user, fill, sent } = view;
  const [button] = await view.findAllByRole('button', { name: 'Give access' });
  if (button) await user.click(button);
  const choose = async (field: string, option: RegExp) => {
    await user.click(await findByRole('combobox', { name: field }));
    await user.click(await findByRole('option', { name: option }));
  };
  await choose('Person', /^Vera Vendor/);
  await choose('Role', /^On-call$/);
  await press('Limits');
  await press('Add variable');
  await fill('Variable', 'version');
  await user.click(await findByRole('checkbox', { name: 'A second person confirms each task' }));
  await press('Create');
  expect(await findByText('Fill this in')).toBeTruthy();
  await fill('Values', '1.2,1.3,');
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    user_id: 2,
    object_type: 'template',
    object_id: 1,
    role: 'on-call',
    limits: { ...noLimits, answers: { version: ['1.2', '1.3'] }, second_person: true },
  });
});

test('who may give access to one object only changes its grants only', async () => {
  const may = (_right: unknown, place?: RightPlace) =>
    place === 'somewhere' || (typeof place === 'object' && place.id === 1);
  const other = { ...aGrant, id: 2, object_id: 9, object_name: 'Other' };
  const { findByRole, getByRole, queryByRole } = await openGrants([aGrant, other], may);
  await findByRole('row', { name: /Other/ });
  expect(getByRole('button', { name: 'Edit Vera Vendor · Deploy' })).toBeTruthy();
  expect(queryByRole('button', { name: 'Edit Vera Vendor · Other' })).toBeNull();
  expect(queryByRole('link', { name: 'Download as CSV' })).toBeNull();
});
