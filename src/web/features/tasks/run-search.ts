// The search parameters of the open task: the view of its run, and the marked lines.

/** For a link to another task. */
export const noRunSearch = {
  view: undefined,
  host: undefined,
  section: undefined,
  lanes: undefined,
  zoom: undefined,
  line: undefined,
} as const;

/** The search parameters without those of the view of a run; the marked lines stay. */
export const withoutRun = <Search extends object>(before: Search) => ({
  ...before,
  view: undefined,
  host: undefined,
  section: undefined,
  lanes: undefined,
  zoom: undefined,
});
