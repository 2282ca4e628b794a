import { expect, test } from 'vitest';
import { projects } from '#shared/api/projects.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { refusalOf, renderAt, replyOf } from '../../../../test/components/render.tsx';
import { aProject } from '../../../../test/components/samples.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';

const text = `sbx_${'a'.repeat(43)}`;
const made = {
  id: '1',
  user_id: 1,
  name: 'Build server',
  scope: 'read' as const,
  project_id: null,
  hint: 'aaaa',
  created: '2026-01-01T00:00:00.000Z',
  expires: null,
  expires_at: null,
  expired: false,
  last_used: null,
  token: text,
};

async function openToken() {
  const view = await renderAt(<NewTokenDialog opened onClose={() => {}} />, {
    replies: [replyOf(projects.list, [aProject]), replyOf(tokens.create, made)],
  });
  await view.field('Name');
  return view;
}

test('the hint says what a scope allows', async () => {
  const { choose, getByText, queryByText, labels } = await openToken();
  expect(labels()).toEqual(['Name', 'Scope', 'Project', 'Expiry']);
  expect(getByText('Can only read')).toBeTruthy();
  await choose('Scope', 'Run tasks');
  expect(getByText('Can read, and run, stop and confirm tasks')).toBeTruthy();
  await choose('Scope', 'Everything');
  expect(getByText('Can do everything that you can do')).toBeTruthy();
  expect(queryByText('Can only read')).toBeNull();
});

test('a token is for all projects and 90 days unless chosen otherwise, and is shown once', async () => {
  const { press, findByText, findByDisplayValue, queryByText, sent } = await openToken();
  const before = Date.now();
  await press('Create');
  expect(await findByText('Copy the token now. It is shown only once.')).toBeTruthy();
  expect(queryByText(text) ?? (await findByDisplayValue(text))).toBeTruthy();
  const { expires, ...body } = newToken.parse(sent[0]?.body);
  expect(body).toEqual({ name: '', scope: 'read', project_id: null });
  const days = (Date.parse(expires ?? '') - before) / 86_400_000;
  expect(Math.round(days)).toBe(90);
});

test('a token for one project that never expires', async () => {
  const { fill, choose, press, findByText, sent } = await openToken();
  await fill('Name', 'Build server');
  await choose('Scope', 'Everything');
  await choose('Project', 'Web');
  await choose('Expiry', 'Never');
  await press('Create');
  await findByText('Copy the token now. It is shown only once.');
  expect(sent[0]?.body).toEqual({
    name: 'Build server',
    scope: 'all',
    project_id: 1,
    expires: null,
  });
});

test('an error about the expiry is shown at the choice of the days', async () => {
  const { answer, press, findByText, field } = await openToken();
  answer(
    refusalOf(tokens.create, {
      status: 400,
      code: 'request.invalid',
      fields: [{ path: 'expires', code: 'field.required', params: {}, message: '' }],
    }),
  );
  await press('Create');
  const error = await findByText('Fill this in');
  expect((await field('Expiry')).getAttribute('aria-describedby')).toContain(error.id);
});
