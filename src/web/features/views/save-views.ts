// Saves a list of views: deletes, renames, adds, then sets the order.

import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { View } from '#shared/api/views.ts';
import { errorWords } from '../../lib/error-words.ts';
import { createView, placeViews, removeView, updateView } from './views.queries.ts';

/** An edited view; a negative id is not saved yet. */
export interface Draft {
  id: number;
  title: string;
}

export function useSaveViews(
  projectId: number,
  views: View[],
  onDrafts: (drafts: Draft[]) => void,
) {
  const create = useMutation(createView());
  const update = useMutation(updateView());
  const remove = useMutation(removeView());
  const place = useMutation(placeViews());
  const [saving, setSaving] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  // Views that other users add meanwhile are not in the drafts, and stay.
  const known = useRef(views);
  const params = { project_id: projectId };

  const write = async (drafts: Draft[]): Promise<void> => {
    for (const { id } of known.current) {
      if (drafts.some((draft) => draft.id === id)) continue;
      await remove.mutateAsync({ params: { ...params, view_id: id } });
      known.current = known.current.filter((view) => view.id !== id);
    }
    let saved = drafts.map(({ id, title }) => ({ id, title: title.trim() }));
    for (const [index, { id, title }] of saved.entries()) {
      const before = known.current.find((view) => view.id === id);
      if (before?.title === title) continue;
      if (before) {
        await update.mutateAsync({ params: { ...params, view_id: id }, body: { title } });
        known.current = known.current.map((view) => (view.id === id ? { ...view, title } : view));
      } else {
        const made = await create.mutateAsync({ params, body: { title } });
        known.current = [...known.current, made];
        saved = saved.with(index, made);
        onDrafts(saved);
      }
    }
    const body = Object.fromEntries(saved.map(({ id }, index) => [String(id), index]));
    if (saved.length > 0) await place.mutateAsync({ params, body });
  };

  return {
    saving,
    message,
    clear: () => setMessage(null),
    /** Returns whether everything was saved; if not, `message` has the reason. */
    save: async (drafts: Draft[]): Promise<boolean> => {
      setSaving(true);
      setMessage(null);
      try {
        await write(drafts);
        return true;
      } catch (error) {
        setMessage(errorWords(error));
        return false;
      } finally {
        setSaving(false);
      }
    },
  };
}
