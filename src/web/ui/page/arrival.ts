// Whether the open entry of the browser's history is a new one, or somebody has come back to it. The
// router returns to the place to which the page of an old entry was scrolled.

const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
let isNew = load?.type === 'navigate';

export const arrival = {
  /** Whether the page begins at its top. */
  isNew: (): boolean => isNew && location.hash === '',
  /** Notes how the router has changed the history. */
  note(action: string): void {
    isNew = action === 'PUSH' || action === 'REPLACE';
  },
};
