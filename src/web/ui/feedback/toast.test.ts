import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeToasts } from './toast.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const shownBy = (toasts: ReturnType<typeof makeToasts>) =>
  toasts.state().shown.map(({ message }) => message);

test.each([false, true])('every toast leaves after three seconds (error: %s)', (isError) => {
  const toasts = makeToasts();
  toasts.show('Something happened', isError);
  vi.advanceTimersByTime(2999);
  expect(shownBy(toasts)).toEqual(['Something happened']);
  vi.advanceTimersByTime(1);
  expect(shownBy(toasts)).toEqual([]);
});

test('toasts stay while they are held, new ones too, and leave three seconds later', () => {
  const toasts = makeToasts();
  toasts.show('First', true);
  toasts.hold('pointer');
  toasts.show('Second', false);
  vi.advanceTimersByTime(60_000);
  expect(shownBy(toasts)).toEqual(['First', 'Second']);
  toasts.hold('focus');
  toasts.release('pointer');
  vi.advanceTimersByTime(60_000);
  expect(shownBy(toasts)).toEqual(['First', 'Second']);
  toasts.release('focus');
  vi.advanceTimersByTime(3000);
  expect(shownBy(toasts)).toEqual([]);
});

test('the toasts beside one that was closed under the pointer leave as well', () => {
  const toasts = makeToasts();
  toasts.show('First', true);
  toasts.show('Second', true);
  toasts.hold('pointer');
  toasts.close(1);
  expect(shownBy(toasts)).toEqual(['Second']);
  vi.advanceTimersByTime(3000);
  expect(shownBy(toasts)).toEqual([]);
});

test('the three newest are shown, the fifty newest kept, and unread errors counted', () => {
  const toasts = makeToasts();
  for (let number = 1; number <= 60; number += 1) toasts.show(`${number}`, number % 2 === 0);
  expect(shownBy(toasts)).toEqual(['58', '59', '60']);
  expect(
    toasts
      .state()
      .kept.map(({ message }) => message)
      .slice(0, 2),
  ).toEqual(['60', '59']);
  expect(toasts.state().kept).toHaveLength(50);
  expect(toasts.state().unread).toBe(30);
  toasts.markRead();
  expect(toasts.state().unread).toBe(0);
  vi.advanceTimersByTime(3000);
  expect(toasts.state().kept).toHaveLength(50);
});
