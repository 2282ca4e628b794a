import { useQuery } from '@tanstack/react-query';
import { memberQueries } from '../../../features/members/members.queries.ts';
import { ProjectRoleList } from '../../../features/roles/role-list.tsx';
import { useListProps } from '../../address/list-address.ts';
import { useAccess } from '../../session/access.ts';
import { TeamTabs } from './team-tabs.tsx';

export function Roles() {
  const list = useListProps('role.edit');
  const may = useAccess(list.projectId);
  const { data: members } = useQuery(memberQueries.list(list.projectId));
  const countOf = (slug: string) => members?.filter(({ role }) => role === slug).length ?? null;
  const tabs = <TeamTabs projectId={list.projectId} />;
  return <ProjectRoleList key={list.projectId} {...list} may={may} countOf={countOf} tabs={tabs} />;
}
