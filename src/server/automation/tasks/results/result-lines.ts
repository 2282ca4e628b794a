// The text of stored results: one result in a line, with section, host and state before the JSON, so that
// most lines that a filter excludes need not be parsed.

import type { ResultState, RunResult } from '#shared/api/run-results.ts';

/** Fields that are left out where they have these values. */
const usual = {
  line: null,
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
} satisfies Partial<RunResult>;

export interface ResultFilter {
  host?: string | undefined;
  sections?: ReadonlySet<number> | undefined;
  state?: ResultState | undefined;
  /** The lines of the log, both included. */
  lines?: { from: number; to: number } | undefined;
}

const isUsual = (name: string, value: unknown): boolean => {
  const expected: unknown = usual[name as keyof typeof usual];
  return expected === value || (Array.isArray(expected) && (value as unknown[]).length === 0);
};

// Tabs and newlines separate the fields.
const plainName = (name: string): string => name.replaceAll(/[\t\n\r\0]/g, '\uFFFD');

export function toLine(result: RunResult): string {
  const { id: _id, section, host, state, ...rest } = result;
  const unusual = Object.entries(rest).filter(([name, value]) => !isUsual(name, value));
  return [section, plainName(host), state, JSON.stringify(Object.fromEntries(unusual))].join('\t');
}

/** Null: the filter excludes the result. */
export function fromLine(line: string, id: number, filter: ResultFilter): RunResult | null {
  const [section = '', host = '', state = ''] = line.split('\t', 3);
  const { host: wanted, sections, state: outcome, lines } = filter;
  if (wanted !== undefined && host !== wanted) return null;
  if (outcome !== undefined && state !== outcome) return null;
  if (sections && !sections.has(Number(section))) return null;
  const rest = line.slice(section.length + host.length + state.length + 3);
  const told = { ...usual, ...(JSON.parse(rest) as Partial<RunResult>) };
  if (lines && (told.line === null || told.line < lines.from || told.line > lines.to)) return null;
  return {
    begin: null,
    duration_ms: 0,
    ...told,
    id,
    host,
    section: Number(section),
    state: state as ResultState,
  };
}
