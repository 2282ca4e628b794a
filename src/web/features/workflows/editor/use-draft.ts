import type { FormErrors } from '@mantine/form';
import { useMemo, useState } from 'react';
import { type History, changed, historyOf, redone, undone } from './draft-history.ts';
import { findingsOfDraft, findingsOfGraph } from './draft-errors.ts';
import type { Draft } from './edits.ts';

/** An edited workflow, its errors, and its undo history. */
export function useDraft(initial: Draft) {
  const [history, setHistory] = useState(() => historyOf(initial));
  const [saved, setSaved] = useState(initial);
  // Empty fields are marked after the first attempt to save.
  const [hasTried, setTried] = useState(false);
  const [refused, setRefused] = useState<{ draft: Draft; errors: FormErrors } | null>(null);
  const { draft } = history;
  const errors = useMemo(() => {
    const found = hasTried ? findingsOfDraft(draft) : findingsOfGraph(draft);
    return refused?.draft === draft ? { ...refused.errors, ...found } : found;
  }, [draft, hasTried, refused]);
  const step = (way: (from: History) => History | null) => setHistory((from) => way(from) ?? from);
  return {
    draft,
    errors,
    isDirty: draft !== saved,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    /** `about`: the field that is typed into; see draft-history.ts. */
    change: (next: Draft, about: string | null = null) =>
      setHistory((from) => changed(from, next, about)),
    undo: () => step(undone),
    redo: () => step(redone),
    /** Returns the errors to correct before the draft can be saved. */
    tryToSave: (): FormErrors => {
      setTried(true);
      return findingsOfDraft(draft);
    },
    onRefused: (found: FormErrors) => setRefused({ draft, errors: found }),
    onSaved: () => setSaved(draft),
  };
}
export type EditedDraft = ReturnType<typeof useDraft>;
