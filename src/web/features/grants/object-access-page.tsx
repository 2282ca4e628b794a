import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { PersonAccess } from '#shared/api/grants.ts';
import { t } from '../../lib/i18n.ts';
import { AddButton } from '../../resources/resource-list.tsx';
import { actionsColumn, column } from '../../resources/columns.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { editColumn } from '../../ui/lists/row-actions.tsx';
import { SearchBox } from '../../ui/lists/search-box.tsx';
import { Page } from '../../ui/page/page.tsx';
import { AbilityCell, throughColumn } from './access-cells.tsx';
import type { GrantScope } from './grant-scope.ts';
import { grantQueries, grantResource, type ObjectRef } from './grants.queries.ts';
import { useObjectChoices } from './object-choices.ts';
import { KindLink, ObjectLink } from './object-link.tsx';
import { useGrantDialogs } from './use-grant-dialogs.tsx';

const ModeChoice = lazyExport(() => import('./mode-choice.tsx'), 'ModeChoice');

interface Props extends Omit<GrantScope, 'object'> {
  projectId: number;
  object: ObjectRef;
  address: EditAddress;
}

/** Who may do what with an object, and who sees it. */
export function ObjectAccessPage({ projectId, object, may, renderZone, address }: Props) {
  const { data, error, refetch } = useQuery(grantQueries.ofObject(projectId, object));
  const [search, setSearch] = useState('');
  const name =
    useObjectChoices(projectId, object.type)?.find(({ id }) => id === object.id)?.name ?? '';
  const scope = { projectId, may, renderZone, object: { ...object, name } };
  const { ask, dialogs } = useGrantDialogs(scope, address);
  if (error && !data) {
    return (
      <Page title={t('access.title')}>
        <QueryFailure error={error} refetch={refetch} />
      </Page>
    );
  }
  const found = data?.filter(({ user_name, username }) =>
    `${user_name} ${username}`.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <Page
      title={t('access.of', { name })}
      above={
        <>
          <KindLink projectId={projectId} type={object.type} />
          <span className="soft" aria-hidden="true">
            {' › '}
          </span>
          <ObjectLink projectId={projectId} {...object} name={name} />
        </>
      }
      actions={<AddButton noun="grant" address={address} />}
    >
      <Suspense fallback={<div style={{ minHeight: 78 }} />}>
        <ModeChoice projectId={projectId} object={object} />
      </Suspense>
      <div style={{ maxWidth: 320, padding: '16px 0 10px' }}>
        <SearchBox label={t('access.find')} value={search} onSearch={setSearch} />
      </div>
      <DataTable
        label={t('access.people')}
        columns={personColumns(object, name, {
          onEdit: address.onEdit,
          onDelete: ask,
        })}
        rows={found}
        rowKey={({ user_id: id }) => id}
      />
      {found?.length === 0 && <p className="soft py-12">{t('common.nothing_found')}</p>}
      {dialogs}
    </Page>
  );
}

interface RowActions {
  onEdit: (grantId: number) => void;
  onDelete: (grant: { id: number; user_name: string; object_name: string }) => void;
}

const personColumns = (
  { type }: ObjectRef,
  objectName: string,
  actions: RowActions,
): Column<PersonAccess>[] => [
  column('person', t('access.person'), { wide: true }, ({ user_name: name, username }) => (
    <span className="column min-w-0">
      <span className="weight-550 break">{name}</span>
      <span className="soft smaller break">{username}</span>
    </span>
  )),
  column('may', t('access.may'), { wide: true }, ({ rights, through, user_name: name }) => (
    <AbilityCell type={type} rights={rights} name={`${name} · ${objectName}`} through={through} />
  )),
  throughColumn(),
  actionsColumn((person) => <GrantButtons person={person} name={objectName} {...actions} />),
];

/** The buttons of each grant of a person. */
function GrantButtons({
  person,
  name,
  ...actions
}: RowActions & { person: PersonAccess; name: string }) {
  const { cell } = editColumn<Parameters<RowActions['onDelete']>[0]>({
    ...actions,
    nameOf: grantResource.nameOf,
  });
  const held = person.through.filter(({ grant_id: id }) => id !== null);
  return (
    <span className="column items-end">
      {held.map(({ grant_id: id }) => (
        <span key={id}>
          {cell({ id: id ?? 0, user_name: person.user_name, object_name: name })}
        </span>
      ))}
    </span>
  );
}
