import { QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerMessage } from '#shared/api/live.ts';
import { schedules } from '#shared/api/schedules.ts';
import { live } from './live.ts';
import { startLiveCache } from './live-cache.ts';
import { queryClient } from './query.ts';

const changed: ServerMessage = { type: 'changed', project_id: 1, noun: 'schedules' };

/** A list that a screen shows; each of its answers comes when the test says so. */
function showList() {
  const answers: ((rows: string[]) => void)[] = [];
  const observer = new QueryObserver<string[]>(queryClient, {
    queryKey: [schedules.list.path, { project_id: 1 }, {}],
    queryFn: () => new Promise((resolve) => answers.push(resolve)),
  });
  const end = observer.subscribe(() => {});
  onTestFinished(() => {
    end();
    queryClient.clear();
  });
  const shown = (): string[] | undefined => observer.getCurrentResult().data;
  return { answers, shown };
}

test('a change that comes before the first answer is not lost', async () => {
  startLiveCache();
  const { answers, shown } = showList();
  await expect.poll(() => answers.length).toBe(1);
  live.onMessage(changed);
  answers[0]?.([]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(['Every minute']);
  await expect.poll(shown).toEqual(['Every minute']);
});

test('a change while a later answer is on its way drops that answer', async () => {
  startLiveCache();
  const { answers, shown } = showList();
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.([]);
  await expect.poll(shown).toEqual([]);
  live.onMessage(changed);
  await expect.poll(() => answers.length).toBe(2);
  live.onMessage(changed);
  await expect.poll(() => answers.length).toBe(3);
  answers[2]?.(['Every minute']);
  answers[1]?.([]);
  await expect.poll(shown).toEqual(['Every minute']);
});
