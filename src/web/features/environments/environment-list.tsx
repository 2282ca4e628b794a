import { useQuery } from '@tanstack/react-query';
import { IconBraces } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy } from 'react';
import { environments, type Environment } from '#shared/api/environments.ts';
import { useTranslation } from '../../lib/i18n.ts';
import type { Column } from '../../ui/data-table.tsx';
import { ResourceList, type ResourceListProps } from '../../ui/resource-list.tsx';
import { environmentQueries } from './environments.queries.ts';
import { variablesOf } from './variables.ts';

const EnvironmentDialog = lazy(async () => ({
  default: (await import('./environment-dialog.tsx')).EnvironmentDialog,
}));

interface Props extends ResourceListProps {
  /** Guests are not told what is in an environment. */
  maySee: boolean;
}

export function EnvironmentList({ maySee, ...props }: Props) {
  const { projectId } = props;
  const { t } = useTranslation();
  return (
    <ResourceList
      {...props}
      noun="environment"
      icon={<IconBraces size={24} />}
      things={useQuery(environmentQueries.list(projectId))}
      endpoints={environments}
      params={(id) => ({ project_id: projectId, environment_id: id })}
      columns={columnsOf(t, maySee)}
      textOf={({ name }) => name}
      dialog={(frame) => <EnvironmentDialog projectId={projectId} {...frame} />}
    />
  );
}

const columnsOf = (t: TFunction, maySee: boolean): Column<Environment>[] => [
  {
    key: 'variables',
    title: t('environment.extra_variables'),
    from: 'small',
    align: 'end',
    cell: ({ json }) => <Count text={json} isShown={maySee} />,
  },
  {
    key: 'process',
    title: t('environment.process_variables'),
    from: 'small',
    align: 'end',
    cell: ({ env }) => <Count text={env} isShown={maySee} />,
  },
];

function Count({ text, isShown }: { text: string; isShown: boolean }) {
  return <span className="numbers">{isShown ? (variablesOf(text)?.length ?? '—') : '—'}</span>;
}
