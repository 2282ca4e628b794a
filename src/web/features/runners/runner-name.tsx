import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { projects } from '#shared/api/projects.ts';
import type { Runner } from '#shared/api/runners.ts';
import { t } from '../../lib/i18n.ts';
import { query } from '../../lib/query.ts';
import { Chip } from '../../ui/feedback/chip.tsx';

type Named = Pick<Runner, 'name' | 'remote' | 'project_id'>;

/** The name of a runner; a chip marks remote runners. */
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

/** The same in the list of all runners: a further chip names the project of those that have one. */
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

/** What to do with a runner that has not registered yet, below its row. */
export function NewRunnerHint() {
  return <p className="soft">{t('runner.new_hint')}</p>;
}
