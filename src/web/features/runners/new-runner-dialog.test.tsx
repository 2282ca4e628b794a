import { expect, test } from 'vitest';
import { newRunner, projectRunners, runners } from '#shared/api/runners.ts';
import { users } from '#shared/api/users.ts';
import { refusalOf, renderAt, replyOf } from '../../../../test/components/render.tsx';
import { aRunner, aUser } from '../../../../test/components/samples.ts';
import { NewRunnerDialog } from './new-runner-dialog.tsx';

const made = { ...aRunner, token: 'sbr_token', expires: aRunner.started };

async function openRunner(projectId: number | null) {
  const view = await renderAt(<NewRunnerDialog projectId={projectId} opened onClose={() => {}} />, {
    replies: [
      replyOf(users.current, aUser),
      replyOf(runners.tags, [{ tag: 'gpu', number_of_runners: 1 }]),
      replyOf(projectRunners.tags, []),
      replyOf(runners.create, made),
      replyOf(projectRunners.create, made),
    ],
  });
  await view.field('Name');
  return view;
}

test.each([
  { projectId: null, path: '/api/runners' },
  { projectId: 2, path: '/api/project/2/runners' },
])('a runner of project $projectId is created at $path', async ({ projectId, path }) => {
  const { fill, press, findByText, sent } = await openRunner(projectId);
  await fill('Name', 'web-1');
  await press('Create');
  expect(await findByText('Set up web-1')).toBeTruthy();
  expect(await findByText('sbr_token')).toBeTruthy();
  expect(sent).toEqual([{ method: 'POST', path, body: newRunner.parse({ name: 'web-1' }) }]);
});

test('a runner needs a name, and keeps what was typed when it is refused', async () => {
  const { answer, field, fill, press, findByText, sent } = await openRunner(null);
  await press('Create');
  expect(await findByText('Name is required')).toBeTruthy();
  expect(sent).toEqual([]);
  answer(
    refusalOf(runners.create, {
      status: 400,
      code: 'request.invalid',
      fields: [{ path: 'name', code: 'field.required', params: {}, message: '' }],
    }),
  );
  await fill('Name', 'web-1');
  await press('Create');
  const error = await findByText('Fill this in');
  const name = await field('Name');
  expect(name.getAttribute('aria-describedby')).toContain(error.id);
  expect(name.value).toBe('web-1');
});
