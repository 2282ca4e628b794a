// The states of an edited workflow, through which undo and redo lead. Pure functions.

import type { Draft } from './edits.ts';

export interface History {
  draft: Draft;
  past: Draft[];
  future: Draft[];
  /** What the last change was about: changes of the same are undone at once. */
  about: string | null;
}

const MAX_STEPS = 200;

export const historyOf = (draft: Draft): History => ({ draft, past: [], future: [], about: null });

/** `about` names the field that is typed into; null for a change by itself. */
export function changed(history: History, draft: Draft, about: string | null): History {
  const goesOn = about !== null && about === history.about;
  const past = goesOn ? history.past : [...history.past, history.draft].slice(-MAX_STEPS);
  return { draft, past, future: [], about };
}

export function undone({ draft, past, future }: History): History | null {
  const before = past.at(-1);
  if (!before) return null;
  return { draft: before, past: past.slice(0, -1), future: [draft, ...future], about: null };
}

export function redone({ draft, past, future }: History): History | null {
  const [next, ...rest] = future;
  if (!next) return null;
  return { draft: next, past: [...past, draft], future: rest, about: null };
}
