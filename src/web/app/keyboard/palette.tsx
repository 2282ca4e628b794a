import { useMantineColorScheme } from '@mantine/core';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import {
  IconDots,
  IconHome,
  IconHelp,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlayerPlay,
  IconPlaylist,
  IconPlus,
  IconServerCog,
  IconUserCircle,
} from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { ProjectAvatar } from '../../features/projects/project-avatar.tsx';
import { projectNames } from '../../features/projects/project-names.ts';
import { projectQueries } from '../../features/projects/projects.queries.ts';
import { useHasTasks } from '../../features/projects/use-has-tasks.ts';
import { templateQueries } from '../../features/templates/templates.queries.ts';
import { t } from '../../lib/i18n.ts';
import { useIsNarrow } from '../../ui/page/use-is-narrow.ts';
import { useAccessIfOpen, useCurrentUser, useMay } from '../session/access.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { adminSections } from '../navigation/admin-sections.ts';
import { useFound } from './palette-search.tsx';
import { matches } from './matches.ts';
import { useResources } from './palette-resources.tsx';
import { useSelection } from './palette-selection.ts';
import { useWorkflows } from './palette-workflows.tsx';
import classes from './palette.module.css';
import { useSections } from '../navigation/project-sections.tsx';
import { compareTexts } from '../../ui/lists/sort.ts';

const [store, spotlight] = createSpotlight();

const MAX_SHOWN_WITHOUT_QUERY = 20;

interface Props {
  /** The palette opens when this number changes. */
  asked: number;
  typed: string;
  onHelp: () => void;
}

export function Palette({ asked, typed, onHelp }: Props) {
  const { projectId } = useParams({ strict: false });
  useEffect(() => {
    if (asked > 0) spotlight.open();
  }, [asked]);
  const [query, setQuery] = useState(typed);
  const [taken, setTaken] = useState(typed);
  if (typed !== taken) {
    setTaken(typed);
    if (typed !== '') setQuery(typed);
  }
  const isNarrow = useIsNarrow();
  const found = useFound(query, projectId);
  const selection = useSelection(store, query, found);
  const runSelected = useRunSelected();
  const changeQuery = (text: string) => {
    selection.onQuery();
    setQuery(text);
  };
  const groups = [
    ...useScreens(projectId),
    ...runsLast([
      ...useTemplates(projectId, query),
      ...useWorkflows(projectId, query, useAccessIfOpen(projectId)),
    ]),
    ...found,
    ...useResources(projectId, query),
    ...useProjects(),
    ...useCommands(onHelp),
    ...useProjectCommands(projectId),
  ];
  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={useCut(groups, query)}
      query={query}
      filter={(_, actions) => actions}
      onQueryChange={changeQuery}
      highlightQuery
      scrollable
      maxHeight={420}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      attributes={{ content: { 'aria-label': t('palette.search') } }}
      nothingFound={t('palette.nothing')}
      searchProps={{
        placeholder: isNarrow ? t('palette.open') : t('palette.search'),
        'aria-label': t('palette.search'),
        onKeyDown: (event) => {
          selection.onKeyDown(event);
          runSelected(event);
        },
      }}
      overlayProps={{ color: 'var(--overlay)', backgroundOpacity: 1 }}
      transitionProps={{ duration: 120 }}
      classNames={{ content: 'border shadow', action: `color-text ${classes.action}` }}
    />
  );
}

/** Ctrl-Enter opens the launch dialog of the selected template. */
function useRunSelected() {
  const navigate = useNavigate();
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    const list = document.getElementById(store.getState().listId);
    const run = list?.querySelector<HTMLElement>('[data-selected][data-run]')?.dataset['run'];
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    spotlight.close();
    void navigate({ to: '.', search: (search) => ({ ...search, run: Number(run) }) });
  };
}

// Entries of a group that are drawn before "show all".
const drawnAtFirst = 40;

/** Enter opens a template or workflow of this name, before it would run one. */
const runsLast = (groups: SpotlightActionGroupData[]): SpotlightActionGroupData[] =>
  groups.toSorted((one, other) => Number(isRun(one)) - Number(isRun(other)));

const isRun = ({ group }: SpotlightActionGroupData): boolean => group === t('palette.run');

/** Labels that contain the query as it is come first. */
const rank = (action: SpotlightActionData | undefined, query: string): number =>
  action?.label?.toLowerCase().includes(query.trim().toLowerCase()) ? 0 : 1;

function useCut(groups: SpotlightActionGroupData[], query: string): SpotlightActionGroupData[] {
  const [whole, setWhole] = useState<string | null>(null);
  const byName = Map.groupBy(groups, ({ group }) => group);
  const cut = [...byName].map(([group, parts]) => {
    const actions = parts.flatMap((part) => part.actions);
    const found = actions
      .filter((action) => isFound(action, query))
      .toSorted((one, other) => rank(one, query) - rank(other, query));
    const rest = found.length - drawnAtFirst;
    if (rest <= 0 || whole === query) return { group, actions: found };
    const more = {
      id: `more-${group}`,
      label: t('stats.more', { count: rest }),
      keywords: query,
      leftSection: <IconDots size={18} aria-hidden="true" />,
      closeSpotlightOnTrigger: false,
      onClick: () => setWhole(query),
    };
    return { group, actions: [...found.slice(0, drawnAtFirst), more] };
  });
  return cut
    .filter(({ actions }) => actions.length > 0)
    .toSorted((one, other) => rank(one.actions[0], query) - rank(other.actions[0], query));
}

const isFound = ({ label, description, keywords }: SpotlightActionData, query: string): boolean =>
  matches([label, description, ...[keywords].flat()], query);

function useScreens(projectId: number | undefined): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const { admin } = useCurrentUser();
  const sections = useSections(projectId);
  const ofProject = projectId === undefined ? [] : sections;
  const ofAdmins = admin ? adminSections : [];
  const overview = {
    id: '/overview',
    label: t('overview.title'),
    leftSection: <IconHome size={18} aria-hidden="true" />,
    onClick: () => void navigate({ to: '/overview' }),
  };
  const actions = [
    overview,
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

function useTemplates(projectId: number | undefined, query: string): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const may = useAccessIfOpen(projectId);
  const mayRun = (id: number) => may('template.run', { type: 'template', id });
  const { data = [] } = useQuery({
    ...templateQueries.list(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  const isShown = query.trim() !== '' || data.length <= MAX_SHOWN_WITHOUT_QUERY;
  if (projectId === undefined || data.length === 0 || !isShown) return [];
  const to = '/project/$projectId/templates/$templateId' as const;
  const open = data.map(({ id, name }) => ({
    id: `template-${id}`,
    label: name,
    leftSection: <IconPlaylist size={18} aria-hidden="true" />,
    onClick: () => void navigate({ to, params: { projectId, templateId: id } }),
    ...(mayRun(id) && { 'data-run': id }),
  }));
  const runnable = data.filter(({ id }) => mayRun(id));
  const run = runnable.map(({ id, name, type }) => ({
    id: `run-${id}`,
    label: t(`template.${type || 'run'}_label`, { name }),
    leftSection: <IconPlayerPlay size={18} aria-hidden="true" />,
    onClick: () => void navigate({ to: '.', search: (search) => ({ ...search, run: id }) }),
  }));
  return [
    { group: t('palette.templates'), actions: open },
    ...(run.length > 0 ? [{ group: t('palette.run'), actions: run }] : []),
  ];
}

function useProjects(): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  if (projects.length < 2) return [];
  const sorted = projects.toSorted((one, other) => compareTexts(one.name, other.name));
  const nameOf = projectNames(projects);
  const actions = sorted.map(({ id, name }) => ({
    id: `project-${id}`,
    label: nameOf({ id, name }),
    leftSection: <ProjectAvatar name={name} id={id} />,
    onClick: () => void navigate({ to: '/project/$projectId', params: { projectId: id } }),
  }));
  return [{ group: t('palette.projects'), actions }];
}

function useCommands(onHelp: () => void): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const user = useCurrentUser();
  const { toggleColorScheme } = useMantineColorScheme();
  const { leave } = useSignOut();
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
    {
      id: 'help',
      label: t('help.title'),
      leftSection: <IconHelp size={18} aria-hidden="true" />,
      onClick: () => void navigate({ to: '/help' }),
    },
    {
      id: 'account',
      label: t('account.title'),
      leftSection: <IconUserCircle size={18} aria-hidden="true" />,
      onClick: () => void navigate({ to: '/account' }),
    },
    {
      id: 'sign-out',
      label: t('shell.sign_out'),
      leftSection: <IconLogout size={18} aria-hidden="true" />,
      onClick: leave,
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

function useProjectCommands(projectId: number | undefined): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const mayManage = useMay(projectId, 'template.edit');
  const hasTasks = useHasTasks(projectId);
  if (projectId === undefined || !mayManage || !hasTasks) return [];
  const params = { projectId };
  const newTemplate = {
    id: 'new-template',
    label: t('template.new'),
    leftSection: <IconPlus size={18} aria-hidden="true" />,
    onClick: () => void navigate({ to: '/project/$projectId/templates/new/edit', params }),
  };
  return [{ group: t('palette.commands'), actions: [newTemplate] }];
}
