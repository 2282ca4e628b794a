import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { StatesButton } from '../../features/kept-states/states-button.tsx';
import { TaskHistory } from '../../features/tasks/lists/task-history.tsx';
import { TemplatePage } from '../../features/templates/page/template-page.tsx';
import { mayOn } from '../../lib/roles/may.ts';
import { useAccess } from '../session/access.ts';
import { useLaunch } from '../dialogs/launch.tsx';
import { ObjectAccessButton } from './object-access-button.tsx';
import { FormInPlace } from './form-in-place.tsx';
import { useTemplateAddress } from '../address/template-address.ts';

export function TemplateDetail() {
  const { templateId = 0 } = useParams({ strict: false });
  const { page = 1 } = useSearch({ strict: false });
  const navigate = useNavigate();
  const address = useTemplateAddress();
  const { projectId, viewId, listAddress, onEdit, onCopy } = address;
  const access = useAccess(projectId);
  const may = mayOn(access, 'template', templateId);
  const launch = useLaunch();
  return (
    <FormInPlace address={address}>
      <TemplatePage
        key={templateId}
        projectId={projectId}
        templateId={templateId}
        viewId={viewId}
        listAddress={listAddress}
        may={may}
        mayCopy={access('template.edit')}
        onRun={() => launch({ templateId })}
        onEdit={() => onEdit(templateId)}
        onCopy={() => onCopy(templateId)}
        access={<ObjectAccessButton projectId={projectId} type="template" id={templateId} />}
        states={<StatesButton projectId={projectId} templateId={templateId} />}
        onDeleted={() => void navigate({ to: listAddress(viewId), replace: true })}
      >
        <TaskHistory
          projectId={projectId}
          templateId={templateId}
          page={page}
          onPage={(next) =>
            void navigate({ to: '.', search: (search) => ({ ...search, page: next }) })
          }
          onRunAgain={(task) => launch({ templateId, earlier: task })}
          may={access}
        />
      </TemplatePage>
    </FormInPlace>
  );
}
