import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconLock } from '@tabler/icons-react';
import { newProject, type Project } from '#shared/api/projects.ts';
import { errorWords, requestIdOf } from '../../lib/error-words.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { Collapsible } from '../../ui/page/collapsible.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { Page } from '../../ui/page/page.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { hasOptionError, ProjectName, ProjectOptions } from './project-fields.tsx';
import { projectBody, projectValues } from './project-values.ts';
import { createProject } from './projects.queries.ts';

interface Props {
  mayCreate: boolean;
  /** Whether no project exists: the page then has an introduction. */
  isFirst: boolean;
  onCreated: (project: Project) => void;
}

export function NewProjectPage({ mayCreate, isFirst, onCreated }: Props) {
  if (!mayCreate) {
    return (
      <Page title={t('project.new.title')}>
        <EmptyState
          icon={<IconLock size={24} />}
          title={isFirst ? t('project.none.title') : t('project.new.forbidden')}
          text={t('project.new.who_may')}
        />
      </Page>
    );
  }
  return (
    <Page title={t('project.new.title')}>
      <p className="soft">{isFirst ? t('project.none.text') : t('project.new.text')}</p>
      <NewProjectForm isFirst={isFirst} onCreated={onCreated} />
    </Page>
  );
}

function NewProjectForm({ isFirst, onCreated }: Pick<Props, 'isFirst' | 'onCreated'>) {
  const create = useMutation(createProject());
  const created = (project: Project) => {
    toast(t('project.created', { name: project.name }));
    onCreated(project);
  };
  const { form, failure, saving, submit } = useBodyForm({
    initial: projectValues(),
    schema: newProject,
    toBody: projectBody,
    submit: async (body) => created(await create.mutateAsync({ body })),
  });
  const demo = useMutation(createProject());
  const createDemo = () => {
    const name = form.getValues().name.trim() || t('project.demo_name');
    demo.mutate(
      { body: { ...projectBody(projectValues()), name, demo: true } },
      { onSuccess: created },
    );
  };
  const shown = failure ?? demo.error;
  return (
    <form className="column gap-16 pt-20" style={{ maxWidth: 560 }} onSubmit={submit} noValidate>
      {shown !== null && <Failure message={errorWords(shown)} requestId={requestIdOf(shown)} />}
      <ProjectName form={form} disabled={saving || demo.isPending} isFirst />
      <Collapsible level={2} title={t('project.options')} hasError={hasOptionError(form.errors)}>
        <ProjectOptions form={form} disabled={saving || demo.isPending} />
      </Collapsible>
      <div className="flex wrap gap-10 pt-6">
        <Button
          type="submit"
          variant={isFirst ? 'default' : 'filled'}
          loading={saving}
          disabled={demo.isPending}
        >
          {t('project.create')}
        </Button>
        <Button
          variant={isFirst ? 'filled' : 'default'}
          loading={demo.isPending}
          disabled={saving}
          onClick={createDemo}
          aria-describedby="demo-hint"
        >
          {t('project.create_demo')}
        </Button>
      </div>
      <p id="demo-hint" className="soft">
        {t('project.demo_hint')}
      </p>
    </form>
  );
}
