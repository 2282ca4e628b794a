import { IconBox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ShownExecutionEnvironment } from '#shared/api/execution-environments.ts';
import { t } from '../../lib/i18n.ts';
import { column, sortedColumn } from '../../resources/columns.ts';
import { ResourceList, type ResourceListProps } from '../../resources/resource-list.tsx';
import { Chip } from '../../ui/feedback/chip.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import {
  executionEnvironmentQueries,
  executionEnvironmentResource,
  installationEnvironmentResource,
} from './execution-environments.queries.ts';
import { UnavailableChip } from './unavailable-note.tsx';

const ExecutionEnvironmentDialog = lazyExport(
  () => import('./execution-environment-dialog.tsx'),
  'ExecutionEnvironmentDialog',
);
const InstallationEnvironmentDialog = lazyExport(
  () => import('./installation-environment-dialog.tsx'),
  'InstallationEnvironmentDialog',
);

type Row = ShownExecutionEnvironment;

/** Those of the project, and those of the installation, which only administrators change. */
export function ExecutionEnvironmentList({ projectId, ...screen }: ResourceListProps) {
  return (
    <ResourceList
      {...screen}
      {...shared}
      resource={executionEnvironmentResource}
      scope={{ projectId }}
      query={executionEnvironmentQueries.list(projectId)}
      Dialog={ExecutionEnvironmentDialog}
      columns={[
        sortedColumn('owner', t('execution_environment.owner'), { from: 'medium' }, ownerOf),
        ...columns(),
      ]}
      isReadOnly={({ project_id: owner }) => owner === null}
    />
  );
}

const ownerOf = ({ project_id: owner }: Row): string =>
  t(`execution_environment.owned_by_${owner === null ? 'installation' : 'project'}`);

type InstallationProps = Pick<ResourceListProps, 'address'> & { above: ReactNode; tabs: ReactNode };

/** Those of the installation, which all projects may use. */
export function InstallationEnvironmentList(screen: InstallationProps) {
  return (
    <ResourceList
      {...screen}
      {...shared}
      mayManage
      resource={installationEnvironmentResource}
      scope={{}}
      query={executionEnvironmentQueries.list(null)}
      Dialog={InstallationEnvironmentDialog}
      columns={columns()}
    />
  );
}

/** What the programs come from. */
const programsOf = ({ kind, folder, packages, image }: Row): string =>
  ({ server: '', tools: folder || packages.join(', '), container: image, pod: image })[kind];

const shared = {
  icon: <IconBox size={24} />,
  textOf: (row: Row) => `${row.name} ${row.description} ${programsOf(row)}`,
};

const columns = (): Column<Row>[] => [
  sortedColumn('kind', t('execution_environment.kind.label'), { from: 'small' }, ({ kind }) =>
    t(`execution_environment.kind.${kind}`),
  ),
  column('programs', t('execution_environment.programs'), { from: 'medium' }, (row) =>
    programsOf(row) === '' ? '—' : <code title={programsOf(row)}>{programsOf(row)}</code>,
  ),
  column('state', t('execution_environment.state'), {}, ({ unavailable }) =>
    unavailable === null ? (
      <Chip tone="neutral">{t('execution_environment.available')}</Chip>
    ) : (
      <UnavailableChip reason={unavailable} />
    ),
  ),
];
