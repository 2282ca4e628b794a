import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconPlus, IconSitemap } from '@tabler/icons-react';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { useDeletion } from '../../../resources/use-deletion.tsx';
import { List, type ListAddress } from '../../../ui/lists/list.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';
import { workflowQueries, workflowResource } from '../workflows.queries.ts';
import { workflowColumns } from './workflow-columns.tsx';

interface Props {
  projectId: number;
  mayRun: boolean;
  mayManage: boolean;
  address: ListAddress;
  onLaunch: (id: number) => void;
  onEdit: (id: number) => void;
}

export function WorkflowList({ projectId, address, ...props }: Props) {
  const isNarrow = useIsNarrow();
  const { mayManage } = props;
  const { data, error, refetch } = useQuery(workflowQueries.list(projectId));
  const deletion = useDeletion(workflowResource, { projectId });
  const add = mayManage && <NewButton projectId={projectId} />;
  return (
    <Page title={t('workflow.list')} actions={add}>
      <List
        label={t('workflow.list')}
        rows={data}
        rowKey={({ id }) => id}
        columns={workflowColumns({ ...props, isNarrow, onDelete: deletion.ask })}
        failure={error && errorWords(error)}
        onRetry={() => void refetch()}
        textOf={({ name, description }) => `${name} ${description}`}
        address={address}
        empty={
          <EmptyState
            icon={<IconSitemap size={24} />}
            title={t('workflow.none.title')}
            text={mayManage ? t('workflow.none.text') : t('workflow.none.text_read_only')}
          >
            {add}
          </EmptyState>
        }
      />
      {deletion.dialog}
    </Page>
  );
}

function NewButton({ projectId }: { projectId: number }) {
  return (
    <Button
      leftSection={<IconPlus size={16} />}
      data-shortcut="n"
      renderRoot={(props) => (
        <Link to="/project/$projectId/workflows/new" params={{ projectId }} {...props} />
      )}
    >
      {t('workflow.new')}
    </Button>
  );
}
