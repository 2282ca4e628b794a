import { useMutation } from '@tanstack/react-query';
import { repositories, type Repository, newRepository } from '#shared/api/repositories.ts';
import { useBodyForm } from '../../lib/form.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useOpened } from '../../lib/use-opened.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/edit-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { createRepository, updateRepository } from './repositories.queries.ts';
import { RepositoryFields } from './repository-fields.tsx';
import { repositoryBody, repositoryValues } from './repository-values.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
}

export function RepositoryDialog({ projectId, edit, onClose }: Props) {
  const { t } = useTranslation();
  const place = { projectId, onClose };
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('repository.new')}
      editTitle={t('repository.edit')}
    >
      {(id) =>
        id === null ? (
          <NewRepositoryForm {...place} />
        ) : (
          <ChangedRepository key={id} {...place} repositoryId={id} />
        )
      }
    </EditDialog>
  );
}

type Place = Pick<Props, 'projectId' | 'onClose'>;

function NewRepositoryForm({ projectId, onClose }: Place) {
  const { t } = useTranslation();
  const create = useMutation(createRepository());
  const { form, frame } = useBodyForm({
    initial: repositoryValues(),
    schema: newRepository,
    toBody: repositoryBody,
    submit: async (body) => {
      const { name } = await create.mutateAsync({
        params: { project_id: projectId },
        body: newRepository.parse(body),
      });
      toast(t('repository.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame} action={t('common.create')}>
      <RepositoryFields projectId={projectId} form={form} />
    </Form>
  );
}

function ChangedRepository({ repositoryId, ...place }: Place & { repositoryId: number }) {
  const params = { project_id: place.projectId, repository_id: repositoryId };
  const opened = useOpened(repositories.one, params);
  return (
    <OpenedForm opened={opened} fields={5}>
      {(base) => <RepositoryForm {...place} base={base} />}
    </OpenedForm>
  );
}

function RepositoryForm({ projectId, onClose, base }: Place & { base: Base<Repository> }) {
  const { t } = useTranslation();
  const update = useMutation(updateRepository());
  const { form, frame } = useBodyForm({
    initial: repositoryValues(base.thing),
    schema: newRepository,
    toBody: repositoryBody,
    submit: async (body, overwrite) => {
      const params = { project_id: projectId, repository_id: base.thing.id };
      await update.mutateAsync({
        params,
        body: newRepository.parse(body),
        ifMatch: overwrite ? undefined : base.revision,
      });
      toast(t('repository.saved', { name: body.name }));
      onClose();
    },
  });
  return (
    <Form {...frame} onReload={base.onReload} action={t('common.save')}>
      <RepositoryFields projectId={projectId} form={form} />
    </Form>
  );
}
