// Whether the open history entry is new. For an old entry, the router restores the scroll position.

const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
let isNew = load?.type === 'navigate';

export const arrival = {
  isNew: (): boolean => isNew && location.hash === '',
  /** Stores the last action of the router's history. */
  note(action: string): void {
    isNew = action === 'PUSH' || action === 'REPLACE';
  },
};
