import { Menu } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCheck, IconFileUpload, IconPlus, IconSearch } from '@tabler/icons-react';
import { type ReactElement, useState } from 'react';
import { ProjectAvatar } from '../../features/projects/project-avatar.tsx';
import { projectNames } from '../../features/projects/project-names.ts';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { t } from '../../lib/i18n.ts';
import { OpenedMenu } from '../../ui/buttons/opened-menu.tsx';
import { compareTexts } from '../../ui/lists/sort.ts';
import { useCurrentUser } from '../session/access.ts';
import { RestoreProject } from '../dialogs/restore-project.tsx';
import classes from './sidebar.module.css';

interface Props {
  button: ReactElement;
  projectId: number | undefined;
  onPalette: () => void;
}

/** The number of projects from which the menu offers the search. */
const searchFrom = 8;

export function ProjectChoices({ button, projectId, onPalette }: Props) {
  const user = useCurrentUser();
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  const sorted = projects.toSorted((one, other) => compareTexts(one.name, other.name));
  const nameOf = projectNames(projects);
  const [isRestoring, setRestoring] = useState(false);
  return (
    <>
      <OpenedMenu
        button={button}
        position="bottom-start"
        width="min(380px, calc(100vw - 24px))"
        classNames={{ dropdown: classes.dropdown ?? '' }}
      >
        {projects.length > searchFrom && (
          <Menu.Item leftSection={<IconSearch size={16} />} onClick={onPalette}>
            {t('shell.find_project')}
          </Menu.Item>
        )}
        <div style={{ maxHeight: '50vh', overflowY: 'auto' }} role="presentation">
          {sorted.map(({ id, name }) => (
            <Menu.Item
              key={id}
              leftSection={<ProjectAvatar name={name} id={id} />}
              rightSection={id === projectId && <IconCheck size={16} aria-hidden="true" />}
              renderRoot={(props) => (
                <Link to="/project/$projectId" params={{ projectId: id }} {...props} />
              )}
            >
              {/* Two lines tell most projects apart; the rest of a longer name is cut. */}
              <span className="break two-lines">{nameOf({ id, name })}</span>
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
      </OpenedMenu>
      <RestoreProject opened={isRestoring} onClose={() => setRestoring(false)} />
    </>
  );
}
