import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import { t } from '../../../lib/i18n.ts';
import { useDeletion } from '../../../resources/use-deletion.tsx';
import { HeadButton } from '../../../ui/buttons/head-button.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Section } from '../../../ui/page/section.tsx';
import {
  LazyDrawing,
  useGraphView,
  type ViewAddress,
  ViewChoice,
} from '../drawing/view-choice.tsx';
import { LaunchButton } from '../launch-button.tsx';
import { NodeOutline } from '../node-outline.tsx';
import { workflowQueries, workflowResource } from '../workflows.queries.ts';
import { RunTable, type RunTableProps } from './run-history.tsx';
import { QueryPage } from '../../../resources/query-page.tsx';
import type { May } from '../../../lib/roles/may.ts';

interface Props extends RunTableProps {
  view: ViewAddress;
  may: May;
  onLaunch: () => void;
  /** Leads to who may do what with the workflow; null for users who give no access. */
  access: ReactNode;
  /** The schedules and integrations that start it. */
  starters: ReactNode;
  onEdit: () => void;
  onDeleted: () => void;
}

export function WorkflowPage(props: Props) {
  const { view, may, access, starters, onLaunch, onEdit, onDeleted, ...table } = props;
  const { projectId, workflowId } = table;
  const result = useQuery(workflowQueries.one(projectId, workflowId));
  const { data } = result;
  const deletion = useDeletion(workflowResource, { projectId }, { onDeleted });
  return (
    <QueryPage
      title={data?.name ?? t('workflow.one')}
      above={
        <Link to="/project/$projectId/workflows" params={{ projectId }}>
          {t('workflow.list')}
        </Link>
      }
      result={result}
      actions={
        data && (
          <>
            {access}
            {may('workflow.edit') && (
              <>
                <HeadButton
                  label={t('workflow.edit')}
                  text={t('common.edit')}
                  icon={<IconPencil size={16} />}
                  onClick={onEdit}
                />
                <HeadButton
                  label={t('workflow.delete')}
                  text={t('common.delete')}
                  icon={<IconTrash size={16} />}
                  onClick={() => deletion.ask(data)}
                />
              </>
            )}
            <LaunchButton name={data.name} may={may} onClick={onLaunch} />
          </>
        )
      }
    >
      {data?.description && <p className="soft break">{data.description}</p>}
      <Section title={t('workflow.runs')}>
        <RunTable {...table} />
      </Section>
      {data && (
        <Section title={t('workflow.nodes')} actions={<ViewChoice address={view} />}>
          <Graph graph={data.graph} view={view} />
        </Section>
      )}
      {data && starters}
      {deletion.dialog}
    </QueryPage>
  );
}

function Graph({ graph, view }: { graph: WorkflowGraph; view: ViewAddress }) {
  if (useGraphView(view) === 'list') return <NodeOutline graph={graph} />;
  return (
    <Suspense fallback={<Skeleton />}>
      <LazyDrawing graph={graph} />
    </Suspense>
  );
}
