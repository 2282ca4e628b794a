// The plays and tasks of a run as sections of its log, with the results of their hosts.

import { type LogSection, noResults } from '#shared/api/task-log.ts';
import type { ResultState } from '#shared/api/run-results.ts';
import type { ResultEvent, RunEvent } from './events.ts';
import { keepMostSevere } from './severity.ts';

/** The position of a heading in the output; see `events.ts`. */
export interface SectionPosition {
  at: number;
  printed: number;
}

export interface RunSection extends Omit<LogSection, 'line'> {
  /** Its number in the run, from 1. */
  number: number;
  /** The number of the first section of the same Ansible task. */
  first: number;
  module: string;
  role: string;
  /** The absolute path of its file; empty: unknown. */
  path: string;
  fileLine: number | null;
  /** When its first host began, and when its last result was reported. */
  beginMs: number | null;
  endMs: number | null;
  /** The position of its heading; null: its line is known already. */
  place: SectionPosition | null;
}

const MAX_NAME_LENGTH = 200;
const MAX_SECTIONS = 10_000;

type PlacedEvent = Extract<RunEvent, { event: 'play' | 'task' | 'handler' | 'recap' | 'heading' }>;

const placed = new Set<string>(['play', 'task', 'handler', 'recap', 'heading']);
export const isPlaced = (event: RunEvent): event is PlacedEvent => placed.has(event.event);

export function createSections() {
  let current: RunSection | null = null;
  let begun = 0;
  const hosts = new Map<string, ResultState>();
  const changed = new Map<number, RunSection>();
  /** The first sections of tasks by the ids of the callback. */
  const firsts = new Map<string, RunSection>();
  const change = (section: RunSection, values: Partial<RunSection>): void => {
    Object.assign(section, values);
    changed.set(section.number, section);
  };
  const begin = (event: Exclude<PlacedEvent, { event: 'heading' }>): void => {
    begun += 1;
    hosts.clear();
    const first = firsts.get(idOf(event)) ?? null;
    // Beyond the limit, the first section of a task gets all of its later results.
    current = begun > MAX_SECTIONS ? first : sectionOf(event, begun, first);
    if (!current || begun > MAX_SECTIONS) return;
    if (!first && idOf(event) !== '') firsts.set(idOf(event), current);
    change(current, {});
  };
  return {
    take(event: PlacedEvent): void {
      if (event.event !== 'heading') begin(event);
      else if (current?.number === begun) change(current, { place: placeOf(event) });
    },
    count(event: ResultEvent): void {
      if (!current) return;
      const { host, state, begin: from, time } = event;
      const before = keepMostSevere(hosts, host, state);
      if (before !== state) {
        if (before) current[before] -= 1;
        current[state] += 1;
      }
      change(current, {
        beginMs: earliest(current.beginMs, from ?? time),
        endMs: time ?? current.endMs,
      });
    },
    /** The number of the current section, even beyond the limit. */
    number: () => current?.number ?? begun,
    current: () => current,
    takeChanged(): RunSection[] {
      const all = [...changed.values()].toSorted((a, b) => a.number - b.number);
      changed.clear();
      return all;
    },
  };
}

const placeOf = ({ at, printed }: SectionPosition): SectionPosition => ({ at, printed });
const idOf = (event: PlacedEvent): string => ('id' in event ? event.id : '');

function sectionOf(
  event: Exclude<PlacedEvent, { event: 'heading' }>,
  number: number,
  first: RunSection | null,
): RunSection {
  const isTask = 'module' in event;
  return {
    ...noResults,
    number,
    first: first?.number ?? number,
    kind: event.event,
    name: 'name' in event ? event.name.slice(0, MAX_NAME_LENGTH) : '',
    module: isTask ? event.module : '',
    role: isTask ? event.role : '',
    path: isTask ? event.path : '',
    fileLine: isTask ? event.file_line : null,
    beginMs: null,
    endMs: null,
    place: placeOf(event),
  };
}

const earliest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
