import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followProject, leaveProject } from '../../lib/live-project.ts';
import { LaunchProvider } from '../dialogs/launch.tsx';
import { WorkflowLaunchProvider } from '../dialogs/launch-workflow.tsx';
import { TaskOverlay } from '../dialogs/task-overlay.tsx';

/** What all screens of a project share: live updates and the dialogs of tasks. */
export function ProjectFrame() {
  const { projectId } = useParams({ from: '/app/project/$projectId' });
  useEffect(() => {
    void followProject(projectId);
    return () => leaveProject(projectId);
  }, [projectId]);
  return (
    <LaunchProvider key={projectId} projectId={projectId}>
      <WorkflowLaunchProvider projectId={projectId}>
        <Outlet />
      </WorkflowLaunchProvider>
      <TaskOverlay projectId={projectId} />
    </LaunchProvider>
  );
}
