import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Workflow } from '#shared/api/workflows.ts';
import { ApiError } from '../../../lib/api.ts';
import { errorWords, requestIdOf } from '../../../lib/error-words.ts';
import { fieldErrorsOf } from '../../../lib/form.ts';
import { t } from '../../../lib/i18n.ts';
import type { Base } from '../../../resources/use-editable-resource.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { workflowResource } from '../workflows.queries.ts';
import type { EditedDraft } from './use-draft.ts';

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
