// Server results of the palette from all projects: templates to open and to run, tasks, and hosts.

import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { IconPlayerPlay, IconPlaylist, IconServer, IconTerminal2 } from '@tabler/icons-react';
import type { SearchResults, OverviewTask } from '#shared/api/overview.ts';
import { overviewQueries } from '../../features/tasks/overview/overview.queries.ts';
import { t } from '../../lib/i18n.ts';

// Debounce of the search request.
const pauseMs = 120;

const templatePage = '/project/$projectId/templates/$templateId' as const;

/**
 * Groups of server results, without the templates of the open project, which the palette lists
 * itself.
 */
export function useFound(query: string, openProject: number | undefined) {
  const run = useRunning();
  const open = useOpening();
  const openTask = useTasks();
  const openHost = useHosts();
  const verbs = [t('task.run'), t('task.build'), t('task.deploy')];
  const wanted = withoutVerb(query, verbs);
  const [asked] = useDebouncedValue(wanted, pauseMs);
  const { data, isPlaceholderData } = useQuery({
    ...overviewQueries.search(asked),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  if (query.trim() === '' || !data) return [];
  const others = data.templates.filter(({ project_id: id }) => id !== openProject);
  // The keywords match the query, because the server compares more than the names. Results of an
  // earlier query are filtered.
  const shared = asked === wanted && !isPlaceholderData ? { keywords: query } : {};
  const groups: SpotlightActionGroupData[] = [
    { group: t('task.column.task'), actions: data.tasks.map(openTask) },
    { group: t('host.list'), actions: data.hosts.map(openHost) },
    { group: t('overview.other_templates'), actions: others.map(open) },
    {
      group: t('overview.other_runs'),
      actions: others.filter(({ may_run: mayRun }) => mayRun).map(run),
    },
  ];
  return groups
    .filter(({ actions }) => actions.length > 0)
    .map(({ group, actions }) => ({
      group,
      actions: actions.map((one) => ({ ...one, ...shared })),
    }));
}

function useHosts() {
  const navigate = useNavigate();
  return ({ name, project_id: projectId, ...host }: SearchResults['hosts'][number]) => ({
    id: `host-${projectId}-${name}`,
    label: name,
    description: host.project_name,
    leftSection: <IconServer size={18} aria-hidden="true" />,
    onClick: () =>
      void navigate({ to: '/project/$projectId/hosts/$host', params: { projectId, host: name } }),
  });
}

type FoundTemplate = SearchResults['templates'][number];

function useTasks() {
  const navigate = useNavigate();
  return ({ id, project_id: projectId, message, ...task }: OverviewTask) => ({
    id: `task-${id}`,
    label: t('task.title', { id }),
    description: [
      task.dry_run ? t('new_task.dry_run') : '',
      task.template_name,
      task.project_name,
      message,
    ]
      .filter(Boolean)
      .join(' · '),
    leftSection: <IconTerminal2 size={18} aria-hidden="true" />,
    onClick: () =>
      void navigate({ to: '/project/$projectId/tasks/$taskId', params: { projectId, taskId: id } }),
  });
}

function useOpening() {
  const navigate = useNavigate();
  return ({ template_id: templateId, project_id: projectId, ...template }: FoundTemplate) => ({
    id: `template-${templateId}`,
    label: template.template_name,
    description: template.project_name,
    leftSection: <IconPlaylist size={18} aria-hidden="true" />,
    onClick: () => void navigate({ to: templatePage, params: { projectId, templateId } }),
  });
}

function useRunning() {
  const navigate = useNavigate();
  return ({ template_id: templateId, project_id: projectId, ...template }: FoundTemplate) => {
    const type = (['build', 'deploy'] as const).find((one) => one === template.template_type);
    const to = { to: templatePage, params: { projectId, templateId }, search: { run: templateId } };
    return {
      id: `run-${templateId}`,
      label: t(`template.${type ?? 'run'}_label`, { name: template.template_name }),
      description: template.project_name,
      leftSection: <IconPlayerPlay size={18} aria-hidden="true" />,
      onClick: () => void navigate(to),
    };
  };
}

function withoutVerb(query: string, verbs: string[]): string {
  const text = query.trim();
  const verb = verbs.find((one) => text.toLowerCase().startsWith(`${one.toLowerCase()} `));
  return verb ? text.slice(verb.length).trim() : text;
}
