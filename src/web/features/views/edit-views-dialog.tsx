import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { View } from '#shared/api/views.ts';
import { errorWords, fieldWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { SortableList } from '../../ui/lists/sortable-list.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { createView, placeViews, removeView, updateView } from './views.queries.ts';

interface Props {
  projectId: number;
  views: View[];
  opened: boolean;
  onClose: () => void;
}

export function EditViewsDialog({ opened, onClose, ...props }: Props) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('view.edit')} size={480} help="views">
      <ViewsForm {...props} onClose={onClose} />
    </FormDialog>
  );
}

const draftsOf = (views: View[]): Draft[] => views.map(({ id, title }) => ({ id, title }));

const isSame = (drafts: Draft[], views: View[]): boolean =>
  drafts.length === views.length &&
  drafts.every(({ id, title }, at) => views[at]?.id === id && views[at]?.title === title);

function ViewsForm({ projectId, views, onClose }: Omit<Props, 'opened'>) {
  const [drafts, setDrafts] = useState(() => draftsOf(views));
  const [isChecked, setChecked] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const count = useRef(drafts.length);
  const { save, saving, message, clear } = useSaveViews(projectId, views, setDrafts);
  const change = (next: Draft[]) => setDrafts(next);
  // An unsaved view has a negative id.
  const add = () =>
    change([...drafts, { id: Math.min(0, ...drafts.map(({ id }) => id)) - 1, title: '' }]);
  useEffect(() => {
    // The input of a new view gets the focus.
    if (drafts.length > count.current) [...inputsOf(list.current)].at(-1)?.focus();
    count.current = drafts.length;
  }, [drafts.length]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const wrong = drafts.findIndex(({ title }) => title.trim() === '');
    if (wrong >= 0) return inputsOf(list.current)[wrong]?.focus();
    void save(drafts).then((isSaved) => {
      if (!isSaved) return;
      toast(t('view.saved'));
      onClose();
    });
  };
  const reset = () => {
    setDrafts(draftsOf(views));
    setChecked(false);
    clear();
  };
  const isDirty = () => !isSame(drafts, views);
  return (
    <Form
      onSubmit={submit}
      saving={saving}
      message={message}
      isDirty={isDirty}
      action={t('common.save')}
      aside={
        <Button variant="subtle" disabled={!isDirty()} onClick={reset}>
          {t('view.reset')}
        </Button>
      }
    >
      <p className="soft">{t('view.hint')}</p>
      <div ref={list}>
        {drafts.length > 0 && (
          <SortableList
            label={t('view.list')}
            items={drafts}
            itemKey={({ id }) => id}
            itemName={({ title }) => title || t('view.unnamed')}
            onMove={(from, to) => change(moved(drafts, from, to))}
          >
            {({ id, title }, index) => (
              <>
                <TextInput
                  className="grow"
                  aria-label={t('view.title_of', { number: index + 1 })}
                  placeholder={t('view.title')}
                  maxLength={100}
                  value={title}
                  onChange={(event) =>
                    change(drafts.with(index, { id, title: event.currentTarget.value }))
                  }
                  error={
                    isChecked && title.trim() === '' ? fieldWords('view.title_required') : null
                  }
                />
                <IconButton
                  label={t('common.delete_label', { name: title || t('view.unnamed') })}
                  hint={t('common.delete')}
                  icon={<IconTrash size={16} />}
                  onClick={() => change(drafts.toSpliced(index, 1))}
                />
              </>
            )}
          </SortableList>
        )}
        <Button
          style={{ marginTop: 10 }}
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={add}
        >
          {t('view.add')}
        </Button>
      </div>
    </Form>
  );
}

const inputsOf = (list: HTMLElement | null): NodeListOf<HTMLInputElement> | HTMLInputElement[] =>
  list?.querySelectorAll('input') ?? [];

function moved(drafts: Draft[], from: number, to: number): Draft[] {
  const draft = drafts[from];
  return draft ? drafts.toSpliced(from, 1).toSpliced(to, 0, draft) : drafts;
}

/** An edited view; a negative id is not saved yet. */
interface Draft {
  id: number;
  title: string;
}

function useSaveViews(projectId: number, views: View[], onDrafts: (drafts: Draft[]) => void) {
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
