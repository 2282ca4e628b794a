import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { projects } from '#shared/api/projects.ts';
import type { Runner } from '#shared/api/runners.ts';
import { t } from '../../lib/i18n.ts';
import { query } from '../../lib/query.ts';
import { Chip } from '../../ui/feedback/chip.tsx';

type Named = Pick<Runner, 'name' | 'remote' | 'project_id'>;

export function RunnerName({ name, remote, children }: Omit<Named, 'project_id'> & Inside) {
  return (
    <span className="row wrap gap-2-8" style={{ minInlineSize: 0 }}>
      <span className="cut">{name}</span>
      {remote && <Chip tone="neutral">{t('runner.remote')}</Chip>}
      {children}
    </span>
  );
}

interface Inside {
  children?: ReactNode;
}

/** With a chip for the project, for the list of all runners. */
export function RunnerAndProject({ project_id: projectId, ...runner }: Named) {
  const { data: all = [] } = useQuery({
    ...query(projects.list),
    enabled: projectId !== null,
  });
  const project = all.find(({ id }) => id === projectId);
  return (
    <RunnerName name={runner.name} remote={runner.remote}>
      {project && <Chip tone="neutral">{project.name}</Chip>}
    </RunnerName>
  );
}

export function NewRunnerHint() {
  return <p className="soft">{t('runner.new_hint')}</p>;
}
