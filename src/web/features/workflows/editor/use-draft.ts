import type { FormErrors } from '@mantine/form';
import { useMemo, useState } from 'react';
import { type History, changed, historyOf, redone, undone } from './draft-history.ts';
import { findingsOfDraft, findingsOfGraph } from './draft-errors.ts';
import type { Draft } from './edits.ts';

/** An edited workflow, what is wrong with it, and the way back. */
export function useDraft(initial: Draft) {
  const [history, setHistory] = useState(() => historyOf(initial));
  const [saved, setSaved] = useState(initial);
  // Fields that are still empty are marked when somebody has tried to save.
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
    /** `about` names what is typed into, so that it is undone at once. */
    change: (next: Draft, about: string | null = null) =>
      setHistory((from) => changed(from, next, about)),
    undo: () => step(undone),
    redo: () => step(redone),
    /** Returns what has to be corrected before the draft can be saved. */
    tryToSave: (): FormErrors => {
      setTried(true);
      return findingsOfDraft(draft);
    },
    onRefused: (found: FormErrors) => setRefused({ draft, errors: found }),
    onSaved: () => setSaved(draft),
  };
}
export type EditedDraft = ReturnType<typeof useDraft>;
