import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { IconSelector } from '@tabler/icons-react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { ProjectAvatar } from '../../features/projects/project-avatar.tsx';
import { projectNames } from '../../features/projects/project-names.ts';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { t } from '../../lib/i18n.ts';
import { roleName } from '../../lib/roles/role-name.ts';
import { LogoMark } from '../../ui/page/logo.tsx';
import { MenuButton } from '../../ui/buttons/menu-button.tsx';
import classes from './sidebar.module.css';

const ProjectChoices = lazyExport(() => import('./project-choices.tsx'), 'ProjectChoices');

interface Props {
  projectId: number | undefined;
  onPalette: () => void;
}

export function ProjectSwitcher({ projectId, onPalette }: Props) {
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  const project = projects.find(({ id }) => id === projectId);
  const role = useRoleName(projectId);
  const button = (
    <button
      type="button"
      className={`row gap-10 grow color-text rounded-8 ${classes.project}`}
      aria-label={t('shell.choose_project')}
    >
      {project ? <ProjectAvatar name={project.name} id={project.id} /> : <LogoMark />}
      <span className={`column grow ${classes.words}`}>
        <span className="weight-600 cut">
          {project ? projectNames(projects)(project) : t('shell.choose_project')}
        </span>
        <span className="smaller soft cut">{project ? role : ''}</span>
      </span>
      <IconSelector className="soft" size={16} aria-hidden="true" />
    </button>
  );
  return (
    <MenuButton button={button}>
      <ProjectChoices button={button} projectId={projectId} onPalette={onPalette} />
    </MenuButton>
  );
}

function useRoleName(projectId: number | undefined): string {
  const { data } = useQuery({
    ...projectQueries.rights(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  if (!data) return '';
  // An administrator needs no role.
  return data.role === '' ? t('role.admin') : roleName(data.role, data.role_name);
}
