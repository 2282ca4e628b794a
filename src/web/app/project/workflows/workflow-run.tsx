import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyExport } from '../../../ui/lazy-export.ts';
import { projectQueries } from '../../../features/projects/projects.queries.ts';
import { noRunSearch } from '../../../features/tasks/run-search.ts';
import { TaskLink } from '../../../features/tasks/task-link.tsx';
import { RunPage, type RunPageProps } from '../../../features/workflows/run/run-page.tsx';
import { t } from '../../../lib/i18n.ts';
import { mayOn, refusalOf } from '../../../lib/roles/may.ts';
import { useGraphAddress } from '../../address/graph-view.ts';
import { useAccess, useCurrentUser } from '../../session/access.ts';

// Few runs have a survey.
const SurveyFields = lazyExport(
  () => import('../../../features/tasks/launch/survey-fields.tsx'),
  'SurveyFields',
);

// Most tasks of runs do not wait for a confirmation.
const NodeConfirmation = lazyExport(
  () => import('../../../features/tasks/confirmation/node-confirmation.tsx'),
  'NodeConfirmation',
);

const from = '/app/project/$projectId/workflow_runs/$runId' as const;

export function WorkflowRunDetail() {
  const { projectId, runId } = useParams({ from });
  const navigate = useNavigate({ from: '/project/$projectId/workflow_runs/$runId' });
  const may = useAccess(projectId);
  return (
    <RunPage
      key={runId}
      projectId={projectId}
      runId={runId}
      may={may}
      refusalOf={useRefusal(projectId)}
      renderTask={(id) => <TaskLink id={id} />}
      renderConfirmation={(id) => (
        <Suspense>
          <NodeConfirmation projectId={projectId} taskId={id} may={may} />
        </Suspense>
      )}
      renderAnswers={(variables, form) => (
        <Suspense>
          <SurveyFields variables={variables} form={form} />
        </Suspense>
      )}
      view={useGraphAddress()}
      onTask={(id) =>
        void navigate({
          to: '.',
          search: (search) => ({ ...search, ...noRunSearch, t: id }),
          resetScroll: false,
        })
      }
      onRun={(id) =>
        void navigate({ params: { projectId, runId: id }, search: ({ as }) => ({ as }) })
      }
      onDeleted={(workflowId) =>
        void navigate({
          to: '/project/$projectId/workflows/$workflowId',
          params: { projectId, workflowId },
          search: {},
          replace: true,
        })
      }
    />
  );
}

/** Why the signed-in user may not decide an approval. */
function useRefusal(projectId: number): RunPageProps['refusalOf'] {
  const user = useCurrentUser();
  const may = useAccess(projectId);
  const { data } = useSuspenseQuery(projectQueries.rights(projectId));
  return ({ name, roles, user_ids: users, not_launcher: notLauncher }, run) => {
    if (notLauncher && run.requested_by === user.id) {
      return t('errors.workflow_run.own_run', { node: name });
    }
    const lacks = refusalOf(mayOn(may, 'workflow', run.workflow_id), 'workflow.approve');
    if (lacks !== null) return lacks;
    const isNamed = users.includes(user.id) || roles.some((role) => role === data.role);
    return isNamed ? null : t('errors.workflow_run.not_approver', { node: name });
  };
}
