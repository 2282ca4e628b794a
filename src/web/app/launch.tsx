import { useMatch, useNavigate } from '@tanstack/react-router';
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useState,
} from 'react';
import type { Task } from '#shared/api/tasks.ts';

interface Launch {
  templateId: number;
  /** A task to run again. */
  earlier?: Task;
}

const Context = createContext<(launch: Launch) => void>(() => {});

/** Opens the dialog that launches a task. */
export const useLaunch = () => useContext(Context);

const NewTaskDialog = lazy(async () => {
  const { NewTaskDialog: component } = await import('../features/tasks/new-task-dialog.tsx');
  return { default: component };
});

export function LaunchProvider({
  projectId,
  children,
}: {
  projectId: number;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  // The number makes each opening a form of its own.
  const [shown, setShown] = useState<(Launch & { number: number }) | null>(null);
  const [opened, setOpened] = useState(false);
  const open = useCallback((launch: Launch) => {
    setShown((before) => ({ ...launch, number: (before?.number ?? 0) + 1 }));
    setOpened(true);
  }, []);
  const from = '/app/project/$projectId/tasks/$taskId' as const;
  const isOnTask = useMatch({ from, shouldThrow: false }) !== undefined;
  const started = (task: Task) => {
    setOpened(false);
    // Whoever reads a task on its page reads the next one there too.
    if (isOnTask) {
      const params = { projectId: task.project_id, taskId: task.id };
      void navigate({ to: '/project/$projectId/tasks/$taskId', params });
      return;
    }
    void navigate({
      to: '.',
      search: (search) => ({ ...search, t: task.id, line: undefined }),
    });
  };
  return (
    <Context value={open}>
      {children}
      {shown && (
        <Suspense>
          <NewTaskDialog
            key={shown.number}
            projectId={projectId}
            templateId={shown.templateId}
            earlier={shown.earlier}
            opened={opened}
            onClose={() => setOpened(false)}
            onStarted={started}
          />
        </Suspense>
      )}
    </Context>
  );
}
