// The part of an address that belongs to the open task: the view of its run, and the marked lines.

/** No view, no host, no task and no line: for an address that leads to another task. */
export const noRunSearch = {
  view: undefined,
  host: undefined,
  section: undefined,
  line: undefined,
} as const;

/** The search parameters without those of the view of a run; the marked lines stay. */
export const withoutRun = <Search extends object>(before: Search) => ({
  ...before,
  view: undefined,
  host: undefined,
  section: undefined,
});
