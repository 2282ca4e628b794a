import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { PlanCounts } from '#shared/api/task-plan.ts';
import type * as planWordsModule from './plan-words.ts';

let words: typeof planWordsModule;

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en' });
  vi.stubGlobal('document', { cookie: '', documentElement: {} });
  const { loadLanguage, startLanguage } = await import('../../../lib/i18n.ts');
  await startLanguage();
  await loadLanguage();
  words = await import('./plan-words.ts');
});

afterAll(() => void vi.unstubAllGlobals());

const none: PlanCounts = { create: 0, update: 0, replace: 0, delete: 0, read: 0 };

test('a plan is told in one line with all that it does', () => {
  const { planWords } = words;
  expect(planWords(none)).toBe('Plan: 0 to add, 0 to change, 0 to destroy');
  expect(planWords({ ...none, create: 1, replace: 2, update: 3 })).toBe(
    'Plan: 3 to add, 3 to change, 2 to destroy (replaced: 2)',
  );
  expect(planWords({ ...none, outputs: 2, drift: 1, other: 1, move: 0 })).toBe(
    'Plan: 0 to add, 0 to change, 0 to destroy; outputs: 2; changed outside: 1; other, see the log: 1',
  );
});

test('what is neither added, changed nor destroyed has a sign of its own', () => {
  const { furtherOf, sumsOf } = words;
  const counts = { ...none, forget: 1, import: 2, defer: 3 };
  expect([sumsOf(counts), furtherOf(counts)]).toEqual([{ add: 0, change: 0, destroy: 0 }, 6]);
  expect(furtherOf({ ...none, create: 4, read: 1 })).toBe(0);
});
