import { useMutation } from '@tanstack/react-query';
import { repositories, type Repository, newRepository } from '#shared/api/repositories.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useOpened } from '../../lib/use-opened.ts';
import { useThingForm } from '../../lib/use-thing-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
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
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('repository.new')}
      editTitle={t('repository.edit')}
    >
      {(id) => (
        <OpenedRepository key={id ?? 'new'} projectId={projectId} id={id} onClose={onClose} />
      )}
    </EditDialog>
  );
}

type Place = Pick<Props, 'projectId' | 'onClose'>;

function OpenedRepository({ id, ...inner }: Place & { id: number | null }) {
  const { projectId } = inner;
  const opened = useOpened(
    repositories.one,
    id === null ? null : { project_id: projectId, repository_id: id },
  );
  return (
    <OpenedForm opened={opened} fields={5}>
      {(base) => <RepositoryForm {...inner} base={base} />}
    </OpenedForm>
  );
}

function RepositoryForm({ projectId, onClose, base }: Place & { base: Base<Repository> | null }) {
  const { t } = useTranslation();
  const create = useMutation(createRepository());
  const update = useMutation(updateRepository());
  const { form, frame } = useThingForm({
    base,
    initial: repositoryValues(base?.thing),
    schema: newRepository,
    toBody: repositoryBody,
    create: (body) =>
      create.mutateAsync({ params: { project_id: projectId }, body: newRepository.parse(body) }),
    update: (body, { id }, ifMatch) =>
      update.mutateAsync({
        params: { project_id: projectId, repository_id: id },
        body: newRepository.parse(body),
        ifMatch,
      }),
    onSaved: (name) => {
      toast(t(base ? 'repository.saved' : 'repository.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame}>
      <RepositoryFields projectId={projectId} form={form} />
    </Form>
  );
}
