import { IconCopy } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { rightNames } from '#shared/rights.ts';
import { numberText, t } from '../../lib/i18n.ts';
import type { May } from '../../lib/roles/may.ts';
import { useDialogState } from '../../lib/use-dialog-state.ts';
import { column, sortedColumn } from '../../resources/columns.ts';
import { ResourceList, type ResourceListProps } from '../../resources/resource-list.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { EditLink } from '../../ui/lists/row-actions.tsx';
import { builtInRows, hasAll, ownRows, type RoleRow } from '../../lib/roles/role-rows.ts';
import {
  installationRoleResource,
  projectRoleResource,
  roleQueries,
  type RoleScope,
} from './roles.queries.ts';
import classes from './rights.module.css';

const ProjectRoleDialog = lazyExport(
  () => import('./project-role-dialog.tsx'),
  'ProjectRoleDialog',
);
const InstallationRoleDialog = lazyExport(
  () => import('./installation-role-dialog.tsx'),
  'InstallationRoleDialog',
);
const RightsDialog = lazyExport(() => import('./rights-dialog.tsx'), 'RightsDialog');

interface Props extends ResourceListProps {
  may: May;
  /** How many members have a built-in role; null: not known yet. */
  countOf: (slug: string) => number | null;
  tabs: ReactNode;
}

/** The roles of a project: the built-in ones, those of the installation, and its own. */
export function ProjectRoleList({ projectId, may, countOf, tabs, ...screen }: Props) {
  const isReadOnly = ({ owner, rights }: RoleRow) => owner !== 'project' || !hasAll(may, rights);
  const { scope, parts, children } = useRoleParts({ ...screen, may, isReadOnly });
  return (
    <ResourceList
      {...parts}
      tabs={tabs}
      resource={projectRoleResource}
      scope={{ ...scope, projectId }}
      query={{
        ...roleQueries.ofProject(projectId),
        select: (roles) => [...builtInRows(countOf), ...ownRows(roles)],
      }}
      Dialog={ProjectRoleDialog}
    >
      {children}
    </ResourceList>
  );
}

type InstallationProps = Pick<ResourceListProps, 'address'> & { above: ReactNode; tabs: ReactNode };

const all: May = () => true;
const isBuiltInRow = ({ owner }: RoleRow) => owner === 'built_in';

/** The roles that members of all projects can have. */
export function InstallationRoleList({ address, above, tabs }: InstallationProps) {
  const { scope, parts, children } = useRoleParts({
    address,
    mayManage: true,
    may: all,
    isReadOnly: isBuiltInRow,
  });
  return (
    <ResourceList
      {...parts}
      above={above}
      tabs={tabs}
      resource={installationRoleResource}
      scope={scope}
      query={{
        ...roleQueries.ofInstallation(),
        select: (roles) => [...builtInRows(), ...ownRows(roles)],
      }}
      Dialog={InstallationRoleDialog}
    >
      {children}
    </ResourceList>
  );
}

interface PartsProps extends Pick<ResourceListProps, 'address' | 'mayManage'> {
  may: May;
  isReadOnly: (row: RoleRow) => boolean;
}

/** What both lists share: copies of roles, and the dialog with the rights of one. */
function useRoleParts({ address, mayManage, may, isReadOnly }: PartsProps) {
  const [copied, setCopied] = useState<RoleScope['copied']>(null);
  const shown = useDialogState<RoleRow>();
  const copy = (row: RoleRow) => {
    setCopied({ ...row, name: t('template.copy_name', { name: row.name }) });
    address.onEdit('new');
  };
  const onEdit: typeof address.onEdit = (edit) => {
    setCopied(null);
    address.onEdit(edit);
  };
  const parts = {
    mayManage,
    address: { ...address, onEdit },
    isReadOnly,
    columns: columnsOf(),
    textOf: ({ name, description }: RoleRow) => `${name} ${description}`,
    renderName: (row: RoleRow) => (
      <span className="column items-start gap-2 min-w-0">
        {mayManage && !isReadOnly(row) ? (
          <EditLink id={row.id}>{row.name}</EditLink>
        ) : (
          <button
            type="button"
            className={`weight-550 link-button break ${classes.name}`}
            onClick={() => shown.ask(row)}
          >
            {row.name}
          </button>
        )}
        {row.description && <span className="soft smaller break">{row.description}</span>}
      </span>
    ),
    renderActions: (row: RoleRow) =>
      hasAll(may, row.rights) && (
        <IconButton
          label={t('role.copy_label', { name: row.name })}
          hint={t('template.copy_verb')}
          icon={<IconCopy size={16} />}
          onClick={() => copy(row)}
        />
      ),
    // The built-in roles are always there.
    empty: null,
  };
  const children = (
    <OnceOpened opened={shown.opened}>
      {shown.resource && (
        <RightsDialog role={shown.resource} opened={shown.opened} onClose={shown.onClose} />
      )}
    </OnceOpened>
  );
  return { scope: { may, copied }, parts, children };
}

const columnsOf = (): Column<RoleRow>[] => [
  sortedColumn('owner', t('execution_environment.owner'), { from: 'medium' }, ownerOf),
  column(
    'rights',
    t('role.rights'),
    { from: 'small', align: 'end', sortBy: ({ rights }) => rights.length },
    ({ rights }) => (
      <span className="numbers">
        {t('role.rights_number', { number: rights.length, total: rightNames.length })}
      </span>
    ),
  ),
  column(
    'members',
    t('role.members'),
    { align: 'end', sortBy: ({ members }) => members ?? -1 },
    ({ members }) => (
      <span className="numbers">{members === null ? '—' : numberText(members)}</span>
    ),
  ),
];

const ownerOf = ({ owner }: RoleRow): string =>
  owner === 'built_in' ? t('role.built_in') : t(`execution_environment.owned_by_${owner}`);
