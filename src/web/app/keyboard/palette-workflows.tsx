import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { IconPlayerPlay, IconSitemap } from '@tabler/icons-react';
import { workflowQueries } from '../../features/workflows/workflows.queries.ts';
import { t } from '../../lib/i18n.ts';
import type { May } from '../../lib/roles/may.ts';

const MAX_SHOWN_WITHOUT_QUERY = 20;

export function useWorkflows(
  projectId: number | undefined,
  query: string,
  may: May,
): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const { data = [] } = useQuery({
    ...workflowQueries.list(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  const isShown = query.trim() !== '' || data.length <= MAX_SHOWN_WITHOUT_QUERY;
  if (projectId === undefined || data.length === 0 || !isShown) return [];
  const to = '/project/$projectId/workflows/$workflowId' as const;
  const open = data.map(({ id, name }) => ({
    id: `workflow-${id}`,
    label: name,
    leftSection: <IconSitemap size={18} aria-hidden="true" />,
    onClick: () => void navigate({ to, params: { projectId, workflowId: id } }),
  }));
  const runnable = data.filter(({ id }) => may('workflow.run', { type: 'workflow', id }));
  const launch = runnable.map(({ id, name }) => ({
    id: `launch-${id}`,
    label: t('workflow.launch_label', { name }),
    leftSection: <IconPlayerPlay size={18} aria-hidden="true" />,
    onClick: () => void navigate({ to: '.', search: (search) => ({ ...search, launch: id }) }),
  }));
  return [
    { group: t('workflow.list'), actions: open },
    ...(launch.length > 0 ? [{ group: t('palette.run'), actions: launch }] : []),
  ];
}
