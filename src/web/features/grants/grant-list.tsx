import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconDownload, IconSearch, IconUserShield } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Grant, GrantFilter } from '#shared/api/grants.ts';
import { grantedTypes } from '#shared/grants/granted-types.ts';
import { t } from '../../lib/i18n.ts';
import { roleName } from '../../lib/roles/role-name.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { column } from '../../resources/columns.ts';
import { type PageAddress, PagedTable } from '../../resources/paged-table.tsx';
import { AddButton } from '../../resources/resource-list.tsx';
import { ChoiceFilter } from '../../ui/forms/choice-filter.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { cursorOf } from '../../ui/lists/cursors.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { editColumn } from '../../ui/lists/row-actions.tsx';
import { SearchBox } from '../../ui/lists/search-box.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { Page } from '../../ui/page/page.tsx';
import { memberQueries } from '../members/members.queries.ts';
import type { GrantScope } from './grant-scope.ts';
import { exportPath, grantQueries, grantResource } from './grants.queries.ts';
import { kindName } from './kind-name.ts';
import { limitsText } from '../../resources/limits/limit-words.ts';
import { objectColumn } from './access-cells.tsx';
import { useGrantDialogs } from './use-grant-dialogs.tsx';

interface Props extends FilterProps, PageAddress, Omit<GrantScope, 'object'> {
  tabs: ReactNode;
  address: EditAddress;
}

/** The grants of a project that the user may see. */
export function GrantList({ projectId, filter, onFilter, may, renderZone, ...screen }: Props) {
  const { tabs, address, trail, onTrail } = screen;
  const result = useQuery({
    ...grantQueries.page(projectId, filter, cursorOf(trail)),
    placeholderData: keepPreviousData,
  });
  const { ask, dialogs } = useGrantDialogs({ projectId, may, renderZone, object: null }, address);
  const mayGive = may('grant.edit', 'somewhere');
  const add = mayGive && <AddButton noun="grant" address={address} />;
  const actions = editColumn<Grant>({
    nameOf: grantResource.nameOf,
    onEdit: address.onEdit,
    onDelete: ask,
    isReadOnly: ({ object_type: type, object_id: id }) => !may('grant.edit', { type, id }),
  });
  return (
    <Page
      title={t('access.title')}
      tabs={tabs}
      actions={
        <>
          {may('grant.edit') && (
            <Button
              component="a"
              href={exportPath(projectId, filter)}
              download
              variant="default"
              leftSection={<IconDownload size={16} />}
            >
              {t('access.export')}
            </Button>
          )}
          {add}
        </>
      }
    >
      <PagedTable
        result={result}
        trail={trail}
        onTrail={onTrail}
        label={t('access.title')}
        columns={[...grantColumns(projectId), ...(mayGive ? [actions] : [])]}
        filters={<GrantFilters projectId={projectId} filter={filter} onFilter={onFilter} />}
        isFiltered={Object.values(filter).some((value) => value !== undefined)}
        none={
          <EmptyState
            icon={<IconUserShield size={24} />}
            title={t('access.none.title')}
            text={t('access.none.text')}
          >
            {add}
          </EmptyState>
        }
        nothing={<EmptyState icon={<IconSearch size={24} />} title={t('common.nothing_found')} />}
      />
      {dialogs}
    </Page>
  );
}

interface FilterProps {
  projectId: number;
  filter: GrantFilter;
  onFilter: (filter: GrantFilter) => void;
}

function GrantFilters({ projectId, filter, onFilter }: FilterProps) {
  const { data: members = [] } = useQuery(memberQueries.list(projectId));
  const change = (part: GrantFilter) => onFilter({ ...filter, ...part });
  return (
    <FilterBar
      label={t('access.filter')}
      isFiltered={Object.values(filter).some((value) => value !== undefined)}
      onClear={() => onFilter({})}
    >
      <SearchBox
        label={t('access.search')}
        value={filter.q ?? ''}
        onSearch={(q) => change({ q: q || undefined })}
      />
      <ChoiceFilter
        label={t('access.person')}
        options={members.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={filter.user_id?.toString()}
        onChoose={(id) => change({ user_id: id ? Number(id) : undefined })}
      />
      <ChoiceFilter
        label={t('access.kind')}
        options={grantedTypes.map((value) => ({ value, label: kindName(value) }))}
        value={filter.object_type}
        onChoose={(type) => change({ object_type: grantedTypes.find((one) => one === type) })}
      />
    </FilterBar>
  );
}

const grantColumns = (projectId: number): Column<Grant>[] => [
  column('person', t('access.person'), { wide: true }, ({ user_name: name }) => name),
  objectColumn(projectId),
  column('role', t('team.role'), {}, ({ role, role_name: name }) => roleName(role, name)),
  column('limits', t('access.limits.title'), { wide: true, from: 'medium' }, ({ limits }) => (
    <span className="block white-space-normal break">{limitsText(limits) || '—'}</span>
  )),
  column('by', t('access.given_by'), { from: 'medium' }, (grant) =>
    grant.from_rules ? t('access.by_rule') : grant.granted_by || '—',
  ),
  column('date', t('access.date'), { from: 'small' }, ({ created }) => <TimeAgo time={created} />),
];
