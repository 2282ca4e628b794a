import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyExport } from '../../../ui/lazy-export.ts';
import { t } from '../../../lib/i18n.ts';
import { FormSkeleton } from '../../../ui/feedback/skeleton.tsx';
import { useGraphAddress } from '../../address/graph-view.ts';
import { useAccess } from '../../session/access.ts';

// Lazy: the bundler would move a static import that other screens share into the main chunk, and
// few users open the editor.
const EditorPage = lazyExport(
  () => import('../../../features/workflows/editor/editor-page.tsx'),
  'EditorPage',
);
const ZoneSelect = lazyExport(
  () => import('../../../features/schedules/zone-select.tsx'),
  'ZoneSelect',
);
const SurveyEditor = lazyExport(
  () => import('../../../features/templates/survey/survey-editor.tsx'),
  'SurveyEditor',
);

export function NewWorkflow() {
  const { projectId } = useParams({ from: '/app/project/$projectId/workflows/new' });
  const { in_view: view } = useSearch({ from: '/app/project/$projectId/workflows/new' });
  return <Editor projectId={projectId} workflowId={null} newIn={view ?? null} />;
}

export function EditWorkflow() {
  const from = '/app/project/$projectId/workflows/$workflowId/edit' as const;
  const { projectId, workflowId } = useParams({ from });
  return <Editor key={workflowId} projectId={projectId} workflowId={workflowId} newIn={null} />;
}

interface Props {
  projectId: number;
  workflowId: number | null;
  newIn: number | null;
}

function Editor({ projectId, workflowId, newIn }: Props) {
  const navigate = useNavigate();
  const may = useAccess(projectId);
  const mayManage = may(
    'workflow.edit',
    workflowId === null ? undefined : { type: 'workflow', id: workflowId },
  );
  const view = useGraphAddress();
  if (!mayManage) {
    return <Navigate to="/project/$projectId/workflows" params={{ projectId }} replace />;
  }
  return (
    <Suspense fallback={<FormSkeleton fields={4} />}>
      <EditorPage
        projectId={projectId}
        workflowId={workflowId}
        newIn={newIn}
        view={view}
        renderZone={(input) => (
          <Suspense>
            <ZoneSelect projectId={projectId} {...input} />
          </Suspense>
        )}
        renderSurvey={(survey) => (
          <Suspense>
            <SurveyEditor label={t('workflow.editor.fields')} {...survey} />
          </Suspense>
        )}
        onSaved={(id) =>
          void navigate({
            to: '/project/$projectId/workflows/$workflowId',
            params: { projectId, workflowId: id },
          })
        }
      />
    </Suspense>
  );
}
