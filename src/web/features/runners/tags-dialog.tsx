import { useMutation } from '@tanstack/react-query';
import { type Runner, runnerChange } from '#shared/api/runners.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TagsField } from '../../ui/forms/tags-field.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { updateRunner, useKnownTags } from './runners.queries.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  runner: Runner;
}

export function TagsDialog({ opened, onClose, runner }: Props) {
  const title = t('runner.edit_tags_label', { name: runner.name });
  return (
    <FormDialog opened={opened} onClose={onClose} title={title} help="runner">
      <TagsForm runner={runner} onSaved={onClose} />
    </FormDialog>
  );
}

function TagsForm({ runner, onSaved }: { runner: Runner; onSaved: () => void }) {
  const update = useMutation(updateRunner());
  const known = useKnownTags(runner.project_id);
  const { form, frame } = useBodyForm({
    initial: { tags: runner.tags },
    schema: runnerChange,
    toBody: (values) => values,
    async submit(body) {
      await update.mutateAsync({ runner, body });
      toast(t('runner.tags_saved', { name: runner.name }));
      onSaved();
    },
  });
  return (
    <Form {...frame} action={t('common.save')}>
      <TagsField
        label={t('runner.tags')}
        description={t('runner.tags_hint')}
        known={known}
        input={form.getInputProps('tags')}
      />
    </Form>
  );
}
