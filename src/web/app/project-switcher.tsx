import { Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCheck, IconFileUpload, IconPlus, IconSelector } from '@tabler/icons-react';
import { useState } from 'react';
import type { Role } from '#shared/permissions.ts';
import { roleNames } from '#shared/permissions.ts';
import { ProjectAvatar } from '../features/projects/project-avatar.tsx';
import { projectQueries } from '../features/projects/projects.queries.ts';
import { useTranslation } from '../lib/i18n.ts';
import { LogoMark } from '../ui/logo.tsx';
import { useCurrentUser } from './access.ts';
import { RestoreProject } from './restore-project.tsx';
import classes from './sidebar.module.css';

export function ProjectSwitcher({ projectId }: { projectId: number | undefined }) {
  const { t } = useTranslation();
  const user = useCurrentUser();
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  const place = projects.findIndex(({ id }) => id === projectId);
  const project = projects[place];
  const role = useRoleName(projectId);
  const [isRestoring, setRestoring] = useState(false);
  return (
    <>
      <Menu position="bottom-start" width={260} classNames={{ dropdown: classes.dropdown ?? '' }}>
        <Menu.Target>
          <button type="button" className={classes.project} aria-label={t('shell.choose_project')}>
            {project ? <ProjectAvatar name={project.name} place={place} /> : <LogoMark />}
            <span className={classes.words}>
              <span className="cut">{project?.name ?? t('shell.choose_project')}</span>
              <span className="cut">{project ? role : ''}</span>
            </span>
            <IconSelector size={16} aria-hidden="true" />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.list} role="presentation">
            {projects.map(({ id, name }, index) => (
              <Menu.Item
                key={id}
                leftSection={<ProjectAvatar name={name} place={index} />}
                rightSection={id === projectId && <IconCheck size={16} aria-hidden="true" />}
                renderRoot={(props) => (
                  <Link to="/project/$projectId" params={{ projectId: id }} {...props} />
                )}
              >
                <span className="break">{name}</span>
              </Menu.Item>
            ))}
          </div>
          {user.can_create_project && (
            <>
              {projects.length > 0 && <Menu.Divider />}
              <Menu.Item
                leftSection={<IconPlus size={16} />}
                renderRoot={(props) => <Link to="/project/new" {...props} />}
              >
                {t('project.new.title')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconFileUpload size={16} />}
                onClick={() => setRestoring(true)}
              >
                {t('restore.title')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <RestoreProject opened={isRestoring} onClose={() => setRestoring(false)} />
    </>
  );
}

const isRole = (name: string): name is Role => roleNames.some((role) => role === name);

function useRoleName(projectId: number | undefined): string {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...projectQueries.role(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  if (!data) return '';
  return isRole(data.role) ? t(`role.${data.role}`) : t('role.admin');
}
