// What becomes of hosts in runs, for tests that have no run.

import type { RunHost } from '#shared/api/run-results.ts';

type Outcome = 'ok' | 'changed' | 'failed' | 'unreachable';

const none = { ok: 0, changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 };

/** Hosts with one task of this outcome each. */
export function hostResults(outcomes: Record<string, Outcome>): RunHost[] {
  return Object.entries(outcomes).map(([host, outcome]) => ({
    host,
    ...none,
    [outcome]: 1,
    begin: null,
    end: null,
    duration_ms: 0,
    first_failure: null,
  }));
}
