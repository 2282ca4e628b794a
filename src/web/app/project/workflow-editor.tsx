import { Navigate, useNavigate, useParams } from '@tanstack/react-router';
import { ZoneSelect } from '../../features/schedules/zone-select.tsx';
import { SurveyEditor } from '../../features/templates/form/survey-editor.tsx';
import { EditorPage } from '../../features/workflows/editor/editor-page.tsx';
import { t } from '../../lib/i18n.ts';
import { useAccess } from '../session/access.ts';

export function NewWorkflow() {
  const { projectId } = useParams({ from: '/app/project/$projectId/workflows/new' });
  return <Editor projectId={projectId} workflowId={null} />;
}

export function EditWorkflow() {
  const from = '/app/project/$projectId/workflows/$workflowId/edit' as const;
  const { projectId, workflowId } = useParams({ from });
  return <Editor key={workflowId} projectId={projectId} workflowId={workflowId} />;
}

interface Props {
  projectId: number;
  workflowId: number | null;
}

/** The editor with the parts of its forms that schedules and templates own. */
function Editor({ projectId, workflowId }: Props) {
  const navigate = useNavigate();
  const mayManage = useAccess(projectId)('manage_resources');
  if (!mayManage) {
    return <Navigate to="/project/$projectId/workflows" params={{ projectId }} replace />;
  }
  return (
    <EditorPage
      projectId={projectId}
      workflowId={workflowId}
      renderZone={(input) => <ZoneSelect projectId={projectId} {...input} />}
      renderSurvey={(variables, onChange) => (
        <SurveyEditor
          label={t('workflow.editor.fields')}
          variables={variables}
          onChange={onChange}
        />
      )}
      onSaved={(id) =>
        void navigate({
          to: '/project/$projectId/workflows/$workflowId',
          params: { projectId, workflowId: id },
        })
      }
    />
  );
}
