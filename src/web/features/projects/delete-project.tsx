import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { t } from '../../lib/i18n.ts';
import { ConfirmAnswer } from '../../ui/dialogs/confirm-question.tsx';
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
  return (
    <>
      <p className="break pb-12">{t('project.delete_text', { name })}</p>
      {objects !== null && <p className="break pb-12">{objects}</p>}
      <ConfirmAnswer
        typed={name}
        action={t('project.delete_action')}
        busy={deletion.isPending}
        onConfirm={() => deletion.mutate({ params: { project_id: id } })}
        onClose={onClose}
      />
    </>
  );
}
