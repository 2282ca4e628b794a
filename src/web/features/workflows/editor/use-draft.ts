import type { FormErrors } from '@mantine/form';
import { useMemo, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { Workflow } from '#shared/api/workflows.ts';
import { ApiError } from '../../../lib/api.ts';
import { errorWords, requestIdOf } from '../../../lib/error-words.ts';
import { fieldErrorsOf } from '../../../lib/form.ts';
import { t } from '../../../lib/i18n.ts';
import type { Base } from '../../../resources/use-editable-resource.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { workflowResource } from '../workflows.queries.ts';
import { changed, type Draft, type History, historyOf, redone, undone } from './edits.ts';
import { findingsOfDraft, findingsOfGraph } from './draft-errors.ts';

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
    /** `about`: the field that is typed into; see edits.ts. */
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

interface Options {
  projectId: number;
  /** The stored workflow; null for a new one. */
  base: Base<Workflow> | null;
  edited: EditedDraft;
  onSaved: (workflowId: number) => void;
}

export function useSaveDraft({ projectId, base, edited, onSaved }: Options) {
  const create = useMutation(workflowResource.create());
  const update = useMutation(workflowResource.update());
  const [failure, setFailure] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const [hasErrors, setErrors] = useState(false);
  const left = useRef(false);

  const send = async (ifMatch: string | undefined): Promise<number> => {
    const body = edited.draft;
    if (base === null) {
      return (await create.mutateAsync({ params: { project_id: projectId }, body })).id;
    }
    const { id } = base.resource;
    const params = { project_id: projectId, workflow_id: id };
    await update.mutateAsync({ params, body, ifMatch });
    return id;
  };

  const save = async (ifMatch: string | undefined): Promise<void> => {
    setFailure(null);
    const isWrong = Object.keys(edited.tryToSave()).length > 0;
    setErrors(isWrong);
    if (isWrong) return;
    setSaving(true);
    try {
      const id = await send(ifMatch);
      const { name } = edited.draft;
      toast(base ? t('workflow.saved', { name }) : t('workflow.created', { name }));
      left.current = true;
      onSaved(id);
    } catch (error) {
      setFailure(error);
      edited.onRefused(fieldErrorsOf(error));
    } finally {
      setSaving(false);
    }
  };

  const isStillWrong = hasErrors && Object.keys(edited.errors).length > 0;
  const mend = isStillWrong ? t('workflow.editor.mend') : null;
  return {
    isSaving,
    message: failure === null ? mend : errorWords(failure),
    requestId: requestIdOf(failure),
    isStale: failure instanceof ApiError && failure.body.code === 'request.stale',
    start: () => void save(base?.revision),
    overwrite: () => void save(undefined),
    /** Whether the screen closes after the save. */
    isLeft: () => left.current,
  };
}
export type SavedDraft = ReturnType<typeof useSaveDraft>;
