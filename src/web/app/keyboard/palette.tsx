import { useMantineColorScheme } from '@mantine/core';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import {
  IconKeyboard,
  IconMoon,
  IconPlayerPlay,
  IconPlaylist,
  IconPlus,
  IconServerCog,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { can } from '#shared/permissions.ts';
import { ProjectAvatar } from '../../features/projects/project-avatar.tsx';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { templateQueries } from '../../features/templates/templates.queries.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useCurrentUser } from '../session/access.ts';
import { adminSections } from '../navigation/admin-sections.ts';
import classes from './palette.module.css';
import { useSections } from '../navigation/project-sections.tsx';

const [store, spotlight] = createSpotlight();

/** How many entries are shown at a time; more typing finds the others. */
const limit = 12;

interface Props {
  /** The palette opens when this number changes. */
  asked: number;
  onHelp: () => void;
}

/** The command palette: opens screens and runs templates by a few letters of their names. */
export function Palette({ asked, onHelp }: Props) {
  const { t } = useTranslation();
  const { projectId } = useParams({ strict: false });
  useEffect(() => {
    if (asked > 0) spotlight.open();
  }, [asked]);
  const groups = [
    ...useScreens(projectId),
    ...useTemplates(projectId),
    ...useProjects(),
    ...useCommands(onHelp),
  ];
  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={groups}
      limit={limit}
      highlightQuery
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': t('palette.search') } }}
      nothingFound={t('palette.nothing')}
      searchProps={{ placeholder: t('palette.search'), 'aria-label': t('palette.search') }}
      overlayProps={{ color: 'var(--overlay)', backgroundOpacity: 1 }}
      transitionProps={{ duration: 120 }}
      classNames={{ content: classes.content ?? '', action: classes.action ?? '' }}
    />
  );
}

function useScreens(projectId: number | undefined): SpotlightActionGroupData[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { admin } = useCurrentUser();
  const sections = useSections(projectId);
  const ofProject = projectId === undefined ? [] : sections;
  const ofAdmins = admin ? adminSections : [];
  const actions = [
    ...ofProject.map(({ to, words, Icon }) => ({
      id: to,
      label: t(words),
      leftSection: <Icon size={18} aria-hidden="true" />,
      onClick: () => void navigate({ to, params: { projectId: projectId ?? 0 } }),
    })),
    ...ofAdmins.map(({ to, words }) => ({
      id: to,
      label: t(words),
      leftSection: <IconServerCog size={18} aria-hidden="true" />,
      onClick: () => void navigate({ to }),
    })),
  ];
  return actions.length > 0 ? [{ group: t('palette.screens'), actions }] : [];
}

function useTemplates(projectId: number | undefined): SpotlightActionGroupData[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayRun = useMayRun(projectId);
  const { data = [] } = useQuery({
    ...templateQueries.list(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  if (projectId === undefined || data.length === 0) return [];
  const to = '/project/$projectId/templates/$templateId' as const;
  const open = data.map(({ id, name }) => ({
    id: `template-${id}`,
    label: name,
    leftSection: <IconPlaylist size={18} aria-hidden="true" />,
    onClick: () => void navigate({ to, params: { projectId, templateId: id } }),
  }));
  const run = data.map(({ id, name, type }) => ({
    id: `run-${id}`,
    label: t(`template.${type || 'run'}_label`, { name }),
    leftSection: <IconPlayerPlay size={18} aria-hidden="true" />,
    onClick: () => void navigate({ to: '.', search: (search) => ({ ...search, run: id }) }),
  }));
  return [
    { group: t('palette.templates'), actions: open },
    ...(mayRun ? [{ group: t('palette.run'), actions: run }] : []),
  ];
}

function useMayRun(projectId: number | undefined): boolean {
  const { data } = useQuery({
    ...projectQueries.role(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  const { admin } = useCurrentUser();
  return admin || (data !== undefined && can(data.permissions, 'run_tasks'));
}

function useProjects(): SpotlightActionGroupData[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  if (projects.length < 2) return [];
  const actions = projects.map(({ id, name }) => ({
    id: `project-${id}`,
    label: name,
    leftSection: <ProjectAvatar name={name} id={id} />,
    onClick: () => void navigate({ to: '/project/$projectId', params: { projectId: id } }),
  }));
  return [{ group: t('palette.projects'), actions }];
}

function useCommands(onHelp: () => void): SpotlightActionGroupData[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const user = useCurrentUser();
  const { toggleColorScheme } = useMantineColorScheme();
  const actions = [
    {
      id: 'dark',
      label: t('palette.toggle_dark'),
      leftSection: <IconMoon size={18} aria-hidden="true" />,
      onClick: toggleColorScheme,
    },
    {
      id: 'shortcuts',
      label: t('shortcut.title'),
      leftSection: <IconKeyboard size={18} aria-hidden="true" />,
      onClick: onHelp,
    },
    ...(user.can_create_project
      ? [
          {
            id: 'new-project',
            label: t('project.new.title'),
            leftSection: <IconPlus size={18} aria-hidden="true" />,
            onClick: () => void navigate({ to: '/project/new' }),
          },
        ]
      : []),
  ];
  return [{ group: t('palette.commands'), actions }];
}
