// The undo history of an edited workflow. Pure functions.

import type { Draft } from './edits.ts';

export interface History {
  draft: Draft;
  past: Draft[];
  future: Draft[];
  /** The field of the last change: successive changes of one field are undone at once. */
  about: string | null;
}

const MAX_STEPS = 200;

export const historyOf = (draft: Draft): History => ({ draft, past: [], future: [], about: null });

/** `about`: the field that is typed into; null for a change of its own. */
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
