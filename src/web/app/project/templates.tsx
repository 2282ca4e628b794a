import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { LastTasks } from '../../features/tasks/lists/task-history.tsx';
import { TaskLink } from '../../features/tasks/task-link.tsx';
import { TaskStatusChip } from '../../features/tasks/task-status-chip.tsx';
import { TemplateViews } from '../../features/templates/board/template-views.tsx';
import { TemplateList } from '../../features/templates/list/template-list.tsx';
import { templateQueries } from '../../features/templates/templates.queries.ts';
import { ViewTabs } from '../../features/views/view-tabs.tsx';
import { viewQueries } from '../../features/views/views.queries.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { NamedObjects } from '../../features/grants/named-objects.tsx';
import { useRestrictedMark } from '../../features/grants/object-mark.tsx';
import { useAccess } from '../session/access.ts';
import { ObjectAccessButton } from './object-access-button.tsx';
import { rememberView } from '../address/last-view.ts';
import { useLaunch } from '../dialogs/launch.tsx';
import { FormInPlace } from './form-in-place.tsx';
import { NewResourceDialog } from './new-resource.tsx';
import { useWorkflowRows } from './workflow-rows.ts';
import { useListAddress } from '../address/list-address.ts';
import {
  type TemplateAddress,
  useTemplateAddress,
  useTemplateView,
} from '../address/template-address.ts';

const EditViewsDialog = lazyExport(
  () => import('../../features/views/edit-views-dialog.tsx'),
  'EditViewsDialog',
);

const BoardScreen = lazyExport(
  () => import('../../features/templates/board/board-screen.tsx'),
  'BoardScreen',
);

export function Templates() {
  const address = useTemplateAddress();
  const { projectId } = address;
  const { view, onView } = useTemplateView(projectId);
  return (
    <FormInPlace address={address}>
      {view === 'list' ? (
        <ListOfTemplates address={address} />
      ) : (
        <Suspense fallback={<div style={{ minHeight: '100vh' }} />}>
          <BoardScreen
            key={projectId}
            projectId={projectId}
            views={<TemplateViews view={view} onView={onView} />}
          />
        </Suspense>
      )}
    </FormInPlace>
  );
}

function ListOfTemplates({ address }: { address: TemplateAddress }) {
  const { projectId, viewId, listAddress, onAll, status, onFilter } = address;
  const may = useAccess(projectId);
  const listed = useListAddress(may('template.edit'));
  const launch = useLaunch();
  const workflows = useWorkflowRows(projectId);
  const renderViewMark = useRestrictedMark(projectId, 'view');
  const [editsViews, setEditsViews] = useState(false);
  const { data: views } = useQuery(viewQueries.list(projectId));
  const isGone = viewId !== null && views !== undefined && !views.some(({ id }) => id === viewId);
  useEffect(() => {
    if (isGone) onAll();
    else rememberView(projectId, viewId);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it is another function each time
  }, [projectId, viewId, isGone]);
  return (
    <>
      <TemplateList
        key={projectId}
        projectId={projectId}
        viewId={viewId}
        tabs={
          views &&
          views.length > 0 && (
            <ViewTabs
              views={views}
              viewId={viewId}
              addressOf={listAddress}
              renderMark={renderViewMark}
            />
          )
        }
        moreActions={<ViewsIfDeployed projectId={projectId} />}
        address={{ ...listed, status, kind: address.kind, onFilter }}
        addressOf={address.addressOf}
        may={may}
        onRun={({ id }) => launch({ templateId: id })}
        onNew={address.onNew}
        onNewWorkflow={address.onNewWorkflow}
        onEdit={address.onEdit}
        onCopy={address.onCopy}
        onEditViews={() => setEditsViews(true)}
        renderStatus={(task) => <TaskStatusChip task={task} />}
        renderMark={useRestrictedMark(projectId, 'template')}
        access={{
          button: viewId !== null && (
            <ObjectAccessButton projectId={projectId} type="view" id={viewId} />
          ),
          below: <NamedObjects projectId={projectId} types={['template', 'workflow', 'view']} />,
        }}
        renderTaskLink={(id) => <TaskLink id={id} />}
        renderNew={(kind, place) => (
          <NewResourceDialog projectId={projectId} kind={kind} {...place} />
        )}
        workflowCells={workflows.cells}
        renderTasks={(templateId) => <LastTasks projectId={projectId} templateId={templateId} />}
      />
      {workflows.dialog}
      <OnceOpened opened={editsViews}>
        <EditViewsDialog
          projectId={projectId}
          views={views ?? []}
          opened={editsViews}
          onClose={() => setEditsViews(false)}
        />
      </OnceOpened>
    </>
  );
}

/** Only projects with deploy templates have a board. */
function ViewsIfDeployed({ projectId }: { projectId: number }) {
  const { view, onView } = useTemplateView(projectId);
  const { data } = useQuery(templateQueries.list(projectId));
  const hasDeploys = data?.some(({ type }) => type === 'deploy') ?? false;
  return hasDeploys && <TemplateViews view={view} onView={onView} />;
}
