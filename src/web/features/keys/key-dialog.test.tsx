import { expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { renderAt, replyOf } from '../../../../test/components/render.tsx';
import { KeyDialog } from './key-dialog.tsx';

const stored = {
  id: 7,
  project_id: 1,
  name: 'Deploy',
  type: 'none' as const,
  empty: false,
  string: '' as const,
  login_password: { login: '', password: '' as const },
  ssh: { login: '', passphrase: '' as const, private_key: '' as const },
  override_secret: false,
};

test('a new key needs a name', async () => {
  const { user, findByRole, sent, findByText } = await renderAt(
    <KeyDialog projectId={1} edit="new" onClose={() => {}} />,
    { replies: [replyOf(keys.create, stored)] },
  );
  await user.click(await findByRole('button', { name: 'Create' }));
  expect(await findByText('Name is required')).toBeTruthy();
  expect(sent).toEqual([]);
});
