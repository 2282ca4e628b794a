import { fireEvent } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderAt } from '../../../../test/components/render.tsx';
import type { BarResult } from './bar-shapes.ts';
import { type Bar, BarStrip } from './bar-strip.tsx';

const count = 20;
const width = 200;
const results: BarResult[] = ['success', 'error', 'stopped', 'running'];
const bars = Array.from({ length: count }, (_, index): Bar => {
  const result = results[index % results.length] ?? 'success';
  return {
    key: index,
    label: `Run ${index}`,
    link: { to: '.', search: { run: index } } as Bar['link'],
    isCurrent: index === 3,
    parts: [{ result, share: 0.5 }],
  };
});

// A DOM without a layout has no sizes.
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe: () => void;
      constructor(read: () => void) {
        this.observe = read;
      }
      disconnect = () => undefined;
    },
  );
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, width, 30),
  );
  return () => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

async function open() {
  const onPoint = vi.fn<(index: number | null) => void>();
  const view = await renderAt(
    <BarStrip label={'Last runs'} bars={bars} height={31} onPoint={onPoint} withTips />,
  );
  const strip = view.getByRole('group', { name: 'Last runs' });
  /** The label of the only link. */
  const shown = () => view.getByRole('link').getAttribute('aria-label');
  const pointTo = (index: number) =>
    fireEvent.pointerMove(strip, { clientX: (index + 0.5) * (width / count) });
  return { ...view, strip, shown, pointTo, onPoint };
}

test('a strip has a path for each result and one link, however many bars it has', async () => {
  const { strip, pointTo } = await open();
  const drawn = [...strip.querySelectorAll<SVGPathElement>('path[data-result]')];
  expect(drawn.map(({ dataset }) => dataset['result'])).toEqual(results);
  for (const path of drawn) {
    expect(path.getAttribute('d')?.match(/M/g)).toHaveLength(count / results.length);
  }
  pointTo(7);
  expect(strip.querySelectorAll('*').length).toBeLessThan(14);
});

test('the link is at the bar under the pointer, and returns to the newest one', async () => {
  const { strip, shown, pointTo, getByRole, onPoint } = await open();
  expect(shown()).toBe('Run 19');
  pointTo(3);
  expect(shown()).toBe('Run 3');
  const link = getByRole('link');
  expect(link.getAttribute('href')).toBe('/?run=3');
  expect(link.dataset['tip']).toBe('Run 3');
  expect(link.getAttribute('aria-current')).toBe('true');
  expect(link.style.left).toBe('15%');
  expect(onPoint).toHaveBeenLastCalledWith(3);
  fireEvent.pointerLeave(strip, { pointerType: 'mouse' });
  expect(shown()).toBe('Run 19');
  expect(getByRole('link').hasAttribute('aria-current')).toBe(false);
  expect(onPoint).toHaveBeenLastCalledWith(null);
});

test('a tapped bar keeps the link when the finger leaves, before its click', async () => {
  const { strip, shown } = await open();
  fireEvent.pointerDown(strip, { clientX: 55, pointerType: 'touch' });
  fireEvent.pointerLeave(strip, { pointerType: 'touch' });
  expect(shown()).toBe('Run 5');
});

test('one stop of the Tab key; arrow keys, Home and End move the focus, and Enter opens', async () => {
  const { user, router, getByRole, shown, onPoint, pointTo } = await open();
  await user.tab();
  expect(document.activeElement).toBe(getByRole('link'));
  const before = document.activeElement;
  await user.keyboard('{ArrowLeft}');
  expect(shown()).toBe('Run 18');
  expect(document.activeElement).toBe(getByRole('link'));
  // Screen readers read the label of a new element.
  expect(document.activeElement).not.toBe(before);
  expect(onPoint).toHaveBeenLastCalledWith(18);
  await user.keyboard('{Home}{ArrowLeft}');
  expect(shown()).toBe('Run 0');
  await user.keyboard('{End}{ArrowRight}');
  expect(shown()).toBe('Run 19');

  // The pointer takes the link, with its focus, and the next key goes on from there.
  pointTo(10);
  expect(shown()).toBe('Run 10');
  expect(document.activeElement).toBe(getByRole('link'));
  await user.keyboard('{ArrowRight}');
  expect(shown()).toBe('Run 11');
  await user.keyboard('{Enter}');
  await vi.waitFor(() => expect(router.state.location.search).toEqual({ run: 11 }));
  expect(document.activeElement).toBe(getByRole('link'));
  await user.tab();
  expect(document.activeElement).toBe(document.body);
});
