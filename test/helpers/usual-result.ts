import type { RunResult } from '#shared/api/run-results.ts';

/** A result of which there is nothing to tell. */
export const usualResult: RunResult = {
  id: 1,
  host: 'one',
  section: 2,
  begin: null,
  duration_ms: 0,
  line: null,
  state: 'ok',
  message: '',
  output: '',
  error_output: '',
  exit_code: null,
  diffs: [],
  changed: false,
  delegated_to: null,
  tries: null,
  items: null,
  shown_items: [],
  is_hidden: false,
  is_cut: false,
};
