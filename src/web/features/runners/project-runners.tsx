import { t } from '../../lib/i18n.ts';
import { Section } from '../../ui/page/section.tsx';
import { NewRunner } from './new-runner.tsx';
import { RunnerList } from './runner-list.tsx';

export function ProjectRunners({ projectId }: { projectId: number }) {
  return (
    <Section
      title={t('runner.of_project')}
      text={t('runner.of_project_text')}
      actions={<NewRunner projectId={projectId} />}
    >
      <RunnerList projectId={projectId} />
    </Section>
  );
}
