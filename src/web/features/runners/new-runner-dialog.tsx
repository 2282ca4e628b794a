import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { newRunner, type RunnerRegistration } from '#shared/api/runners.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TagsField } from '../../ui/forms/tags-field.tsx';
import { RunnerToken } from './runner-token.tsx';
import { createRunner, useKnownTags } from './runners.queries.ts';

interface Props {
  /** Null for a runner that runs tasks of all projects. */
  projectId: number | null;
  opened: boolean;
  onClose: () => void;
}

type CreatedRunner = RunnerRegistration & { name: string };

export function NewRunnerDialog({ projectId, opened, onClose }: Props) {
  const [made, setMade] = useState<CreatedRunner | null>(null);
  const close = () => {
    onClose();
    setMade(null);
  };
  const title = made === null ? t('runner.new') : t('runner.set_up', { name: made.name });
  return (
    <FormDialog opened={opened} onClose={close} title={title} size={640} help="runner">
      {made === null ? (
        <NewRunnerForm projectId={projectId} onMade={setMade} />
      ) : (
        <RunnerToken {...made} />
      )}
    </FormDialog>
  );
}

interface FormProps extends Pick<Props, 'projectId'> {
  onMade: (made: CreatedRunner) => void;
}

function NewRunnerForm({ projectId, onMade }: FormProps) {
  const create = useMutation(createRunner(projectId));
  const known = useKnownTags(projectId);
  const { form, frame } = useBodyForm({
    initial: { name: '', tags: [] as string[] },
    schema: newRunner,
    toBody: (values) => values,
    submit: async (body) => onMade(await create.mutateAsync(body)),
  });
  return (
    <Form {...frame} action={t('common.create')}>
      <p className="soft">{t('runner.new_text')}</p>
      <TextInput
        label={t('common.name')}
        description={t('runner.name_hint')}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TagsField
        label={t('runner.tags')}
        description={t('runner.tags_hint')}
        known={known}
        input={form.getInputProps('tags')}
      />
    </Form>
  );
}
