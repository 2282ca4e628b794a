import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { overviewQueries } from '../../features/tasks/overview/overview.queries.ts';
import { errorWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { followProject, leaveProject } from '../../lib/live-project.ts';
import { toastError } from '../../ui/feedback/toast.ts';
import { LaunchProvider } from './launch.tsx';
import { TaskOverlay } from './task-overlay.tsx';

/** The task of `?t=` over a screen outside projects: searched in all projects. */
export function FoundTask({ taskId }: { taskId: number }) {
  const navigate = useNavigate();
  const { data, error } = useQuery(overviewQueries.search(`#${taskId}`));
  const projectId = data?.tasks.find(({ id }) => id === taskId)?.project_id;
  const problem = error ? errorWords(error) : data && projectId === undefined ? missing() : null;
  useEffect(() => {
    if (problem === null) return;
    toastError(problem);
    void navigate({ to: '.', search: (search) => ({ ...search, t: undefined }), replace: true });
  }, [problem, navigate]);
  useEffect(() => {
    if (projectId === undefined) return;
    void followProject(projectId);
    return () => leaveProject(projectId);
  }, [projectId]);
  if (projectId === undefined) return null;
  return (
    <Suspense>
      <LaunchProvider projectId={projectId}>
        <TaskOverlay projectId={projectId} />
      </LaunchProvider>
    </Suspense>
  );
}

const missing = (): string => t('errors.task.not_found');
