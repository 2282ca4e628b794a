import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { t } from '../../lib/i18n.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { useObjectsInUse } from '../kept-states/kept-states.queries.ts';
import { deleteProject } from './projects.queries.ts';

interface Props {
  project: { id: number; name: string };
  onDeleted: () => void;
}

export function DeleteProject(props: Props) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button
        variant="outline"
        color="danger"
        leftSection={<IconTrash size={16} />}
        onClick={() => setOpened(true)}
      >
        {t('project.delete')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('project.delete')} size={480} help="project">
        <Question {...props} onClose={close} />
      </Dialog>
    </>
  );
}

/** The user types the name, because a deleted project cannot be restored. */
function Question({ project, onDeleted, onClose }: Props & { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const { id, name } = project;
  const objects = useObjectsInUse({ projectId: id, templateId: null }, true);
  const deletion = useMutation({
    ...deleteProject(),
    onSuccess: () => {
      toast(t('project.deleted', { name }));
      onDeleted();
    },
    onError: toastFailure,
    onSettled: onClose,
  });
  const isMeant = typed.trim() === name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMeant) deletion.mutate({ params: { project_id: id } });
  };
  return (
    <form onSubmit={submit} className="column gap-14">
      <p className="break">{t('project.delete_text', { name })}</p>
      {objects !== null && <p className="break">{objects}</p>}
      <TextInput
        label={t('common.type_to_confirm', { name })}
        labelProps={{ className: 'break' }}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className="flex justify-end gap-10 pt-6">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" color="danger" loading={deletion.isPending} disabled={!isMeant}>
          {t('project.delete_action')}
        </Button>
      </div>
    </form>
  );
}
