import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { repositories, type Repository, newRepository } from '#shared/api/repositories.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { useResourceForm } from '../../lib/use-resource-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { createRepository, updateRepository } from './repositories.queries.ts';
import { useDefaultBranch } from './default-branch.ts';
import { RepositoryFields } from './repository-fields.tsx';
import { repositoryBody, repositoryValues } from './repository-values.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
  /** Called with the id of a new thing. */
  onMade?: (id: number) => void;
}

export function RepositoryDialog({ edit, ...place }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={place.onClose}
      newTitle={t('repository.new')}
      editTitle={t('repository.edit')}
      help="repository"
    >
      {(id) => <OpenedRepository key={id ?? 'new'} {...place} id={id} />}
    </EditDialog>
  );
}

type DialogProps = Omit<Props, 'edit'>;

function OpenedRepository({ id, ...inner }: DialogProps & { id: number | null }) {
  const { projectId } = inner;
  const opened = useEditableResource(
    repositories.one,
    id === null ? null : { project_id: projectId, repository_id: id },
  );
  return (
    <OpenedForm opened={opened} fields={6}>
      {(base) => <RepositoryForm {...inner} base={base} />}
    </OpenedForm>
  );
}

function RepositoryForm({
  projectId,
  onClose,
  onMade,
  base,
}: DialogProps & { base: Base<Repository> | null }) {
  const { t } = useTranslation();
  const create = useMutation(createRepository());
  const update = useMutation(updateRepository());
  const { form, frame } = useResourceForm({
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
    onSaved: (name, id) => {
      toast(t(base ? 'repository.saved' : 'repository.created', { name }));
      if (id !== undefined) onMade?.(id);
      onClose();
    },
  });
  const look = useDefaultBranch(projectId, form);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = await look.fill();
    frame.onSubmit();
    if (form.getValues().git_branch === '') form.setFieldError('git_branch', reason);
  };
  return (
    <Form
      {...frame}
      onSubmit={(event) => void submit(event)}
      saving={frame.saving || look.isAsking}
    >
      <RepositoryFields projectId={projectId} form={form} />
    </Form>
  );
}
