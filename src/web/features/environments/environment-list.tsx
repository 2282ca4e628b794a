import { IconBraces } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy } from 'react';
import { environments, type Environment } from '#shared/api/environments.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useResourceList } from '../../lib/use-resource-list.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { ResourceList, type ResourceListProps } from '../../ui/lists/resource-list.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { environmentQueries } from './environments.queries.ts';
import { variablesOf } from './variables.ts';

const EnvironmentDialog = lazy(async () => ({
  default: (await import('./environment-dialog.tsx')).EnvironmentDialog,
}));

interface Props extends ResourceListProps {
  /** Whether the user may see what is in an environment; guests may not. */
  maySee: boolean;
}

export function EnvironmentList({ maySee, ...props }: Props) {
  const { projectId } = props;
  const { t } = useTranslation();
  const list = useResourceList({
    ...props,
    noun: 'environment',
    query: environmentQueries.list(projectId),
    endpoints: environments,
    onDone: toast,
    onFailed: toastError,
  });
  return (
    <ResourceList
      {...list}
      icon={<IconBraces size={24} />}
      columns={columnsOf(t, maySee)}
      textOf={({ name }) => name}
      renderDialog={(frame) => <EnvironmentDialog projectId={projectId} {...frame} />}
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
