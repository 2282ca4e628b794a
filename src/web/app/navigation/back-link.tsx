import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconArrowLeft } from '@tabler/icons-react';
import { projectToOpen } from '../../features/projects/last-project.ts';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { t } from '../../lib/i18n.ts';

/** A link to the project that was open last, if there is one. */
export function BackLink() {
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  const id = projectToOpen(projects);
  const project = projects.find((one) => one.id === id);
  if (!project) return null;
  return (
    <Link
      to="/project/$projectId"
      params={{ projectId: project.id }}
      className="inline-flex items-center gap-4 max-w-full"
      aria-label={t('shell.back_to', { name: project.name })}
    >
      <IconArrowLeft size={16} aria-hidden="true" />
      <span className="cut">{project.name}</span>
    </Link>
  );
}
