import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { environmentQueries } from '../../features/environments/environments.queries.ts';
import { executionEnvironmentQueries } from '../../features/execution-environments/execution-environments.queries.ts';
import { inventoryQueries } from '../../features/inventories/inventories.queries.ts';
import { keyQueries } from '../../features/keys/keys.queries.ts';
import { memberQueries } from '../../features/members/members.queries.ts';
import { repositoryQueries } from '../../features/repositories/repositories.queries.ts';
import { t } from '../../lib/i18n.ts';
import { resourceSections, teamSection } from '../navigation/project-sections.tsx';

type Section = (typeof resourceSections)[keyof typeof resourceSections] | typeof teamSection;

/** The people and resources of the open project; read when something is searched. */
export function useResources(
  projectId: number | undefined,
  query: string,
): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const id = projectId ?? 0;
  const shared = { enabled: projectId !== undefined && query.trim() !== '' };
  const lists = [
    [teamSection, useQuery({ ...memberQueries.list(id), ...shared }).data],
    [resourceSections.inventory, useQuery({ ...inventoryQueries.list(id), ...shared }).data],
    [resourceSections.environment, useQuery({ ...environmentQueries.list(id), ...shared }).data],
    [
      resourceSections.execution_environments,
      useQuery({ ...executionEnvironmentQueries.list(id), ...shared }).data,
    ],
    [resourceSections.keys, useQuery({ ...keyQueries.list(id), ...shared }).data],
    [resourceSections.repositories, useQuery({ ...repositoryQueries.list(id), ...shared }).data],
  ] as const;
  if (!shared.enabled) return [];
  const actionsOf = ({ to, Icon }: Section, items: readonly { id: number; name: string }[] = []) =>
    items.map(({ id: item, name }) => ({
      id: `${to}-${item}`,
      label: name,
      leftSection: <Icon size={18} aria-hidden="true" />,
      onClick: () => void navigate({ to, params: { projectId: id }, search: { q: name } }),
    }));
  return lists.map(([section, items]) => ({
    group: t(section.words),
    actions: actionsOf(section, items),
  }));
}
