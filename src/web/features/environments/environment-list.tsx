import { IconBraces } from '@tabler/icons-react';
import type { Environment } from '#shared/api/environments.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { ResourceList, type ResourceListProps } from '../../resources/resource-list.tsx';
import { column } from '../../resources/columns.ts';
import { environmentQueries, environmentResource } from './environments.queries.ts';
import { variablesOf } from './variables.ts';

const EnvironmentDialog = lazyExport(() => import('./environment-dialog.tsx'), 'EnvironmentDialog');

interface Props extends ResourceListProps {
  /** Whether the user may see the content of an environment; guests may not. */
  maySee: (environment: Environment) => boolean;
}

export function EnvironmentList({ maySee, projectId, ...screen }: Props) {
  return (
    <ResourceList
      {...screen}
      resource={environmentResource}
      scope={{ projectId }}
      query={environmentQueries.list(projectId)}
      Dialog={EnvironmentDialog}
      icon={<IconBraces size={24} />}
      columns={columnsOf(maySee)}
      textOf={({ name }) => name}
    />
  );
}

const columnsOf = (maySee: Props['maySee']): Column<Environment>[] => [
  column('variables', t('environment.extra_variables'), { from: 'small', align: 'end' }, (one) => (
    <Count text={one.json} isShown={maySee(one)} />
  )),
  column('process', t('environment.process_variables'), { from: 'small', align: 'end' }, (one) => (
    <Count text={one.env} isShown={maySee(one)} />
  )),
];

function Count({ text, isShown }: { text: string; isShown: boolean }) {
  return <span className="numbers">{isShown ? (variablesOf(text)?.length ?? '—') : '—'}</span>;
}
