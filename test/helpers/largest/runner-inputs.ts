// The largest inputs of remote runners.

import { fields, type LargeInput, list, megabyte } from './input.ts';

const result = (id: number): object => ({
  id,
  host: `host-${id}`,
  section: 1,
  begin: null,
  duration_ms: 1,
  line: null,
  state: 'ok',
  message: 'x'.repeat(6000),
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
});

const time = '2026-01-01T00:00:00.000Z';

const log = (what: string, status: number, sent: object): LargeInput => ({
  endpoint: 'runnerApi.log',
  role: 'remote runner',
  what,
  status,
  body: ({ lease }) => ({ lease, from: 1, spool_offset: 0, lines: [], ...sent }),
  ...(what.endsWith('of another') && { params: { task_id: 999_999 } }),
});

const report = (what: string, told: object): LargeInput => ({
  endpoint: 'runnerApi.report',
  role: 'remote runner',
  what,
  status: 200,
  body: ({ lease }) => ({ lease, report: told }),
});

export const runnerInputs: LargeInput[] = [
  log('1,100,000 empty lines of a task of another', 409, {
    lines: [{ time, outputs: list(1_100_000, () => '') }],
  }),
  log('24 MB of empty lines', 400, { lines: [{ time, outputs: list(8_000_000, () => '') }] }),
  log('1,100,000 empty lines', 200, { lines: [{ time, outputs: list(1_100_000, () => '') }] }),
  log('a line of 4 MiB of control characters', 200, {
    from: 1_100_001,
    lines: [{ time, outputs: ['\u0001'.repeat(4 * megabyte)] }],
  }),
  log('a line of 16 MiB', 200, {
    from: 1_100_002,
    lines: [{ time, outputs: ['x'.repeat(16 * megabyte)] }],
  }),
  log('a line of 7 MiB of control characters', 200, {
    from: 1_100_003,
    lines: [{ time, outputs: ['\u0001'.repeat(7 * megabyte)] }],
  }),
  log('41 MB of lines', 200, {
    from: 1_100_004,
    lines: [{ time, outputs: list(410, () => 'x'.repeat(100_000)) }],
  }),
  report('1,000 results of 6 kB', {
    kind: 'results',
    from: 1,
    results: list(1000, (index) => result(index + 1)),
  }),
  report('1,000 results with 50 items each', {
    kind: 'results',
    from: 1,
    results: list(1000, (index) => ({
      ...result(index + 1),
      message: '',
      shown_items: list(50, () => ({
        item: '',
        state: 'ok',
        message: '',
        output: '',
        error_output: '',
        exit_code: null,
        diffs: [],
      })),
    })),
  }),
  report('facts of 1,000 hosts', {
    kind: 'facts',
    hosts: list(1000, (index) => ({
      host: `host-${index}`,
      facts: fields(100, `${index} `.padEnd(40, 'x')),
    })),
  }),
  {
    endpoint: 'runnerApi.filterExisting',
    role: 'remote runner',
    what: '10,000 of each thing',
    status: 200,
    body: () => ({
      mirrors: list(10_000, (index) => `${index}`.padStart(64, '0')),
      projects: list(10_000, (index) => index + 1),
      homes: list(10_000, (index) => index + 1),
      states: list(10_000, (index) => ({ project_id: 1, template_id: index + 1 })),
    }),
  },
  {
    endpoint: 'runnerApi.poll',
    role: 'remote runner',
    what: '10,000 held tasks',
    status: 200,
    body: ({ held_id, lease }) => ({
      version: '1',
      max_parallel_tasks: 1,
      session: 'one',
      is_new: false,
      load: 0,
      held: list(10_000, (index) =>
        index === 0
          ? { task_id: held_id, lease, stop: 'none' }
          : { task_id: index + 1000, lease: 1, stop: 'none' },
      ),
      is_leaving: false,
      wait: 0,
    }),
  },
];
