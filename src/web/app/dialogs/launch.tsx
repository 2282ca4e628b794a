import { useMatch, useNavigate, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, Suspense, useContext } from 'react';
import type { Task } from '#shared/api/tasks.ts';
import { noRunSearch } from '../../features/tasks/run-search.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { useAccess } from '../session/access.ts';
import { useRefusedForm } from '../address/edit-address.ts';
import { useLaunchDialog } from './use-launch-dialog.ts';

interface Launch {
  templateId: number;
  /** The task that is run again. */
  earlier?: Task;
  /** The hosts to run on, in place of the limit of the template. */
  limit?: string;
}

const Context = createContext<(launch: Launch) => void>(() => {});

export const useLaunch = () => useContext(Context);

const RestartDialog = lazyExport(
  () => import('../../features/tasks/launch/restart-dialog.tsx'),
  'RestartDialog',
);

const NewTaskDialog = lazyExport(
  () => import('../../features/tasks/launch/new-task-dialog.tsx'),
  'NewTaskDialog',
);

export function LaunchProvider({
  projectId,
  children,
}: {
  projectId: number;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  // A link or the command palette opens the dialog through the address.
  const { run } = useSearch({ strict: false });
  const may = useAccess(projectId);
  const mayRun = (id: number) => may('template.run', { type: 'template', id });
  const from = '/app/project/$projectId/tasks/$taskId' as const;
  const isOnTask = useMatch({ from, shouldThrow: false }) !== undefined;
  const leave = (t?: number) =>
    void navigate({
      to: '.',
      search: (search) => ({ ...search, run: undefined, ...(t ? { ...noRunSearch, t } : {}) }),
      resetScroll: false,
    });
  const isRefused = run !== undefined && !mayRun(run);
  useRefusedForm(isRefused, leave);
  const asked =
    run === undefined || isRefused ? null : { target: { templateId: run }, key: `run-${run}` };
  const { shown, opened, open, hide, close } = useLaunchDialog<Launch>(asked, leave);
  const started = (task: Task) => {
    hide();
    if (isOnTask) {
      const params = { projectId: task.project_id, taskId: task.id };
      void navigate({ to: '/project/$projectId/tasks/$taskId', params });
    } else {
      leave(task.id);
    }
  };
  const dialog = { opened, onClose: close, onStarted: started };
  const { earlier } = shown?.target ?? {};
  return (
    <Context value={open}>
      {children}
      {shown && (
        <Suspense>
          {earlier && !mayRun(shown.target.templateId) ? (
            <RestartDialog key={shown.key} earlier={earlier} {...dialog} />
          ) : (
            <NewTaskDialog
              key={shown.key}
              projectId={projectId}
              {...shown.target}
              mayManage={may('template.edit', { type: 'template', id: shown.target.templateId })}
              {...dialog}
            />
          )}
        </Suspense>
      )}
    </Context>
  );
}
