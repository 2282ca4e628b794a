// The search in one log: requests matches from the server, stores them, and steps through them.

import type { LogHit, LogHits } from '#shared/api/task-log.ts';

export interface LogQuery {
  text: string;
  matchCase: boolean;
}

export interface LogMatches extends LogQuery {
  /** The number of loaded lines that match. */
  total: number;
  /** False if there are more. */
  isExact: boolean;
  hits: LogHit[];
  /** The index of the current match; -1 for none. */
  at: number;
  busy: boolean;
  failure: unknown;
}

type Ask = (wanted: LogQuery, from: number, signal: AbortSignal) => Promise<LogHits>;

const nothing: LogMatches = {
  text: '',
  matchCase: false,
  total: 0,
  isExact: true,
  hits: [],
  at: -1,
  busy: false,
  failure: null,
};

export class LogFinder {
  readonly #ask: Ask;
  readonly #changes = new Set<() => void>();
  readonly #jumps = new Set<(line: number) => void>();
  #found = nothing;
  #near = 1;
  #next: number | null = null;
  #through = 0;
  #current = new AbortController();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  readonly found = (): LogMatches => this.#found;

  readonly watch = (listener: () => void) => add(this.#changes, listener);

  /** The listener receives the line to scroll to. */
  onJump(listener: (line: number) => void) {
    return add(this.#jumps, listener);
  }

  /**
   * Sets the first visible line: matches from there on come first. It counts until a search begins,
   * because a search scrolls the log with each letter that is typed.
   */
  lookFrom(line: number): void {
    if (this.#found.text === '') this.#near = line;
  }

  /** Searches for another text, and goes to its first match. */
  async find(wanted: LogQuery): Promise<void> {
    this.#current.abort();
    this.#current = new AbortController();
    this.#next = null;
    this.#change({ ...nothing, ...wanted });
    if (wanted.text === '' || !(await this.#load(1)) || this.#found.hits.length === 0) return;
    const first = this.#found.hits.findIndex(({ line }) => line >= this.#near);
    this.#selectHit(Math.max(0, first));
  }

  /** Goes to the next or previous match; wraps around at the ends. */
  async step(by: 1 | -1): Promise<void> {
    const { busy, hits, at } = this.#found;
    if (busy || hits.length === 0) return;
    const isBehind = at + by === hits.length;
    if (isBehind && this.#next !== null && !(await this.#load(this.#next))) return;
    const count = this.#found.hits.length;
    this.#selectHit((at + by + count) % count);
  }

  /** Searches the lines that were stored since, up to line `total`. */
  async goOn(total: number): Promise<void> {
    const { busy, text, at } = this.#found;
    // A pending page of matches will contain these lines.
    if (busy || text === '' || total <= this.#through || this.#next !== null) return;
    if (!(await this.#load(this.#through + 1))) return;
    if (at < 0 && this.#found.hits.length > 0) this.#selectHit(0);
  }

  #change(part: Partial<LogMatches>): void {
    this.#found = { ...this.#found, ...part };
    for (const listener of this.#changes) listener();
  }

  #selectHit(at: number): void {
    this.#change({ at });
    const line = this.#found.hits[at]?.line;
    if (line === undefined) return;
    for (const listener of this.#jumps) listener(line);
  }

  /**
   * Adds the matches from a line on; false if the request failed, or the query has changed
   * meanwhile.
   */
  async #load(from: number): Promise<boolean> {
    const { signal } = this.#current;
    this.#change({ busy: true, failure: null });
    try {
      const page = await this.#ask(this.#found, from, signal);
      if (signal.aborted) return false;
      this.#next = page.next;
      this.#through = page.through;
      const { hits } = this.#found;
      const total = hits.length + page.total;
      this.#change({
        hits: [...hits, ...page.hits],
        busy: false,
        total,
        isExact: page.is_exact,
      });
      return true;
    } catch (failure) {
      if (!signal.aborted) this.#change({ busy: false, failure });
      return false;
    }
  }
}

function add<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
