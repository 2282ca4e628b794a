// Parses the plays and tasks of an Ansible run from the lines of its log, with the results of their
// hosts. Pure, with limited memory for logs of any length.

import { type LogSection, noResults } from '#shared/api/task-log.ts';
import { shownText } from '#shared/terminal.ts';

export const MAX_SECTIONS = 10_000;
const MAX_NAME_LENGTH = 200;
/** Hosts of one section that are remembered, so that each counts once. */
const MAX_HOSTS = 5000;

export interface OutlineReader {
  readonly sections: readonly LogSection[];
  /** False: the log has more sections. */
  readonly isComplete: boolean;
  read: (number: number, output: string) => void;
}

const kinds = {
  PLAY: 'play',
  TASK: 'task',
  'CLEANUP TASK': 'task',
  'RUNNING HANDLER': 'handler',
  'PLAY RECAP': 'recap',
} as const;

const header =
  /^(PLAY RECAP|PLAY|TASK|CLEANUP TASK|RUNNING HANDLER)(?: \[(.*?)\])?(?: \[CHECK MODE\])? \*{3,}$/;
const result = /^(ok|changed|skipping|fatal|failed|unreachable): \[([^\]]+)\](?:: (UNREACHABLE)!)?/;
const included = 'included: ';
/** The line below a failure that the playbook ignores. */
export const ignoring = '...ignoring';

/** The states by severity: a host counts once in a section, with its most severe state. */
const states = ['skipped', 'ok', 'changed', 'failed', 'unreachable'] as const;
type State = (typeof states)[number] | 'ignored';

const stateOf: Record<string, State> = {
  ok: 'ok',
  changed: 'changed',
  skipping: 'skipped',
  fatal: 'failed',
  failed: 'failed',
  unreachable: 'unreachable',
};

// The first letters of the lines that are searched for, to skip most lines of a log quickly.
// oxlint-disable-next-line no-control-regex -- colours may stand before it
const firstLetters = /^(?:\u001b\[[\d;]*m)*[PTCRocsfiu.]/;

export function createOutline(): OutlineReader {
  const sections: LogSection[] = [];
  const hosts = new Map<string, State>();
  let open: LogSection | null = null;
  let lastFailed: string | null = null;
  let isComplete = true;

  const begin = (line: number, kind: LogSection['kind'], name: string): void => {
    hosts.clear();
    lastFailed = null;
    isComplete = sections.length < MAX_SECTIONS;
    open = isComplete ? newSection(line, kind, name.slice(0, MAX_NAME_LENGTH)) : null;
    if (open) sections.push(open);
  };
  const set = (host: string, state: State): void => {
    if (!open) return;
    const before = hosts.get(host);
    if (before) open[before] -= 1;
    if (before || hosts.size < MAX_HOSTS) hosts.set(host, state);
    open[state] += 1;
  };
  const count = (host: string, state: State): void => {
    if (state === 'failed') lastFailed = host;
    const before = hosts.get(host);
    if (before === undefined || rank(state) > rank(before)) set(host, state);
  };

  return {
    sections,
    get isComplete() {
      return isComplete;
    },
    read(number, output) {
      if (!firstLetters.test(output)) return;
      const text = shownText(output);
      const [, word = '', name = ''] = header.exec(text) ?? [];
      if (word) {
        begin(number, kinds[word as keyof typeof kinds], name);
      } else if (text === ignoring) {
        if (lastFailed !== null) set(lastFailed, 'ignored');
      } else {
        for (const [host, state] of resultsIn(text)) count(host, state);
      }
    },
  };
}

const rank = (state: State): number =>
  state === 'ignored' ? states.length : states.indexOf(state);

function resultsIn(text: string): [host: string, state: State][] {
  const [, word = '', named = '', unreachable] = result.exec(text) ?? [];
  const state = unreachable ? 'unreachable' : stateOf[word];
  // "web1 -> db1" means that a task of web1 ran on db1.
  if (state) return [[named.split(' -> ')[0] ?? named, state]];
  const list = includedFor(text);
  return list ? list.split(', ').map((host) => [host, 'ok']) : [];
}

/** The failed host of a line that reports a failure, otherwise null. */
export function failedHostIn(text: string): string | null {
  const [, word = '', named = '', unreachable] = result.exec(text) ?? [];
  if (stateOf[word] !== 'failed' || unreachable) return null;
  return named.split(' -> ')[0] ?? named;
}

/** The hosts in a line about an included file: the text behind the last " for ". */
function includedFor(text: string): string {
  const at = text.startsWith(included) ? text.lastIndexOf(' for ') : -1;
  return at < included.length ? '' : text.slice(at + ' for '.length).trimStart();
}

function newSection(line: number, kind: LogSection['kind'], name: string): LogSection {
  return { kind, line, name, ...noResults };
}
