// What a person sees of an action with many rows: the question before, and the failures after.

import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { BulkResult } from '#shared/api/bulk.ts';
import { templates } from '#shared/api/templates.ts';
import type { Right } from '#shared/rights.ts';
import { renderAt, replyOf, refusalOf } from '../../../test/components/render.tsx';
import { aTemplate } from '../../../test/components/samples.ts';
import { useListAddress } from '../../../test/components/use-list-address.ts';
import { templateActions } from '../features/templates/list/template-bulk.tsx';
import { List } from '../ui/lists/list.tsx';
import { BulkBar, BulkFailureDialog, useBulk } from './bulk-bar.tsx';

const all = Array.from({ length: 12 }, (_, index) => ({
  ...aTemplate,
  id: index + 1,
  name: `Deploy ${index + 1}`,
}));

function Templates({ rights }: { rights: Right[] }) {
  const bulk = useBulk<(typeof all)[number]>({ idOf: ({ id }) => id, refresh: [templates.list] });
  const actions = templateActions(1, (right) => rights.includes(right));
  return (
    <>
      <List
        label={'Templates'}
        rows={all}
        rowKey={({ id }) => id}
        columns={[
          { key: 'name', title: 'Name', sortBy: ({ name }) => name, cell: ({ name }) => name },
        ]}
        failure={null}
        onRetry={() => undefined}
        empty={null}
        textOf={({ name }) => name}
        address={useListAddress()}
        selection={{
          isSelectable: () => true,
          nameOf: ({ name }) => name,
          renderBar: (selection) => <BulkBar {...{ bulk, selection, actions }} />,
        }}
      />
      <BulkFailureDialog bulk={bulk} />
    </>
  );
}

const done = (id: number): BulkResult => ({ id, ok: true, error: null });

const refused = (id: number): BulkResult => ({
  id,
  ok: false,
  error: { code: 'template.not_found', params: {}, message: 'No such template', fields: [] },
});

async function selectAll(rights: Right[] = ['template.run', 'template.edit']) {
  const view = await renderAt(<Templates rights={rights} />, {
    replies: [
      replyOf(
        templates.bulk,
        all.map(({ id }) => done(id)),
      ),
      replyOf(
        templates.bulkRun,
        all.map(({ id }) => ({ ...done(id), task_id: id })),
      ),
    ],
  });
  await view.user.click(await view.findByRole('checkbox', { name: 'Select all 12' }));
  const bar = within(view.getByRole('toolbar', { name: 'Selection' }));
  /** Chooses an action that has no button, because the bar is narrow. */
  const choose = async (name: string) => {
    await view.press('Actions');
    await view.user.click(await view.findByRole('menuitem', { name }));
  };
  const buttons = () => bar.getAllByRole('button').map((one) => one.textContent);
  return { ...view, buttons, chooseAction: choose };
}

test('the question names the first ten rows, and nothing is sent before the answer', async () => {
  const { press, findByRole, sent, queryByRole } = await selectAll();
  await press('Run 12 templates');
  const question = within(await findByRole('dialog', { name: 'Run 12 templates' }));
  expect(question.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    ...all.slice(0, 10).map(({ name }) => name),
    'and 2 more',
  ]);
  expect(sent).toEqual([]);
  await press('Cancel');
  expect([sent, queryByRole('toolbar') === null]).toEqual([[], false]);
});

test('all ids are sent at once, and the selection ends when all are done', async () => {
  const { press, findByRole, user, sent, queryByRole, getByRole } = await selectAll();
  await press('Run 12 templates');
  const question = within(await findByRole('dialog'));
  await user.click(question.getByRole('button', { name: 'Run 12 templates' }));
  await expect.poll(() => queryByRole('toolbar')).toBeNull();
  const path = '/api/project/1/templates/bulk/run';
  expect(sent).toEqual([{ method: 'POST', path, body: { ids: all.map(({ id }) => id) } }]);
  expect(document.activeElement).toBe(getByRole('checkbox', { name: 'Select all 12' }));
});

test('failures are listed by name with their reason, and only they stay selected', async () => {
  const { chooseAction, findByRole, user, answer, getByRole } = await selectAll();
  answer(
    replyOf(
      templates.bulk,
      all.map(({ id }) => (id > 10 ? refused(id) : done(id))),
    ),
  );
  await chooseAction('Delete 12 templates');
  const question = within(await findByRole('dialog'));
  await user.click(question.getByRole('button', { name: 'Delete 12 templates' }));
  const failures = within(await findByRole('dialog', { name: '2 failed' }));
  expect(failures.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Deploy 11This template does not exist in this project.',
    'Deploy 12This template does not exist in this project.',
  ]);
  expect(failures.getByRole('button', { name: 'Copy' }).isConnected).toBe(true);
  await user.keyboard('{Escape}');
  const bar = within(getByRole('toolbar', { name: 'Selection', hidden: true }));
  expect(bar.getByText('2 selected').isConnected).toBe(true);
  const box = getByRole('checkbox', { name: 'Select all 12', hidden: true });
  await expect.poll(() => document.activeElement).toBe(box);
});

test('a call that fails as a whole keeps the selection', async () => {
  const { press, findByRole, user, answer, findByText } = await selectAll();
  answer(refusalOf(templates.bulkRun, { status: 403, code: 'permission.denied' }));
  await press('Run 12 templates');
  const question = within(await findByRole('dialog'));
  await user.click(question.getByRole('button', { name: 'Run 12 templates' }));
  expect((await findByText('12 selected')).isConnected).toBe(true);
});

test('the focus goes to the list when the selection is cleared in the bar', async () => {
  const { press, getByRole } = await selectAll();
  await press('Clear selection');
  expect(document.activeElement).toBe(getByRole('checkbox', { name: 'Select all 12' }));
});

test('a branch is asked for', async () => {
  const { chooseAction, findByRole, user, fill, sent } = await selectAll();
  await chooseAction('Change branch');
  await findByRole('dialog', { name: 'Change branch' });
  await fill('Branch', 'main');
  const question = within(await findByRole('dialog'));
  await user.click(question.getByRole('button', { name: 'Change branch' }));
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ action: 'change', ids: all.map(({ id }) => id), values: { git_branch: 'main' } }]);
});

test('who may only run templates is offered nothing else', async () => {
  const { buttons } = await selectAll(['template.run']);
  expect(buttons()).toEqual(['', 'Run 12 templates']);
});

test('an inventory must be chosen, so that nobody removes it by mistake', async () => {
  const { chooseAction, findByRole } = await selectAll();
  await chooseAction('Change inventory');
  const question = within(await findByRole('dialog', { name: 'Change inventory' }));
  const button = question.getByRole<HTMLButtonElement>('button', { name: 'Change inventory' });
  expect(button.disabled).toBe(true);
});
