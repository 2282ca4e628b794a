import { type KeyboardEvent, type RefObject, useEffect } from 'react';

type Direction = readonly [x: number, y: number];

const directions: Record<string, Direction> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const stops = (root: HTMLElement | null): HTMLElement[] => [
  ...(root?.querySelectorAll<HTMLElement>('[data-arrows]') ?? []),
];

/**
 * Arrow keys move to the nearest `[data-arrows]` in their direction; one of them is a tab stop.
 */
export function useArrowKeys(root: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const all = stops(root.current);
    if (all.every(({ tabIndex }) => tabIndex !== 0)) all[0]?.setAttribute('tabindex', '0');
  });
  return (event: KeyboardEvent): void => {
    const direction = directions[event.key];
    const all = stops(root.current);
    const current = all.find((one) => one === event.target);
    if (!direction || !current) return;
    event.preventDefault();
    const next = nearest(current, all, direction);
    if (!next) return;
    for (const one of all) if (one.tabIndex === 0) one.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
}

const middleOf = (element: Element): readonly [number, number] => {
  const { left, top, height } = element.getBoundingClientRect();
  return [left, top + Math.min(height, 20) / 2];
};

/** Distance aside counts more, so that the keys stay in their row or column. */
const ASIDE = 3;

function nearest(
  from: HTMLElement,
  all: HTMLElement[],
  [dx, dy]: Direction,
): HTMLElement | undefined {
  const [x, y] = middleOf(from);
  let best: { element: HTMLElement; distance: number } | undefined;
  for (const element of all) {
    const [otherX, otherY] = middleOf(element);
    const along = (otherX - x) * dx + (otherY - y) * dy;
    if (along < 1) continue;
    const aside = Math.abs((otherX - x) * dy) + Math.abs((otherY - y) * dx);
    const distance = along + ASIDE * aside;
    if (!best || distance < best.distance) best = { element, distance };
  }
  return best?.element;
}
