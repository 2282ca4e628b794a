import { expect, test, vi } from 'vitest';
import { renderAt } from '../../../../test/components/render.tsx';
import { ConfirmQuestion } from './confirm-question.tsx';

const question = { opened: true, title: 'Delete template', text: 'Gone.', action: 'Delete' };

test('what is lost for ever is deleted after its name was typed', async () => {
  const onConfirm = vi.fn<() => void>();
  const { fill, press, field, user } = await renderAt(
    <ConfirmQuestion {...question} typed="Deploy" onClose={() => {}} onConfirm={onConfirm} />,
    { replies: [] },
  );
  await fill('Type Deploy to confirm', 'deploy');
  await press('Delete');
  expect(onConfirm).not.toHaveBeenCalled();
  await user.clear(await field('Type Deploy to confirm'));
  await fill('Type Deploy to confirm', 'Deploy');
  await press('Delete');
  expect(onConfirm).toHaveBeenCalledTimes(1);
});

test('other questions need no name', async () => {
  const onConfirm = vi.fn<() => void>();
  const { press } = await renderAt(
    <ConfirmQuestion {...question} onClose={() => {}} onConfirm={onConfirm} />,
    { replies: [] },
  );
  await press('Delete');
  expect(onConfirm).toHaveBeenCalledTimes(1);
});
