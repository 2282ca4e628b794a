import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useState,
} from 'react';
import { useAccess } from '../session/access.ts';
import { useRefusedForm } from '../address/edit-address.ts';

const Context = createContext<(workflowId: number) => void>(() => {});

/** Opens the dialog that launches a workflow. */
export const useLaunchWorkflow = () => useContext(Context);

const LaunchDialog = lazy(async () => ({
  default: (await import('../../features/workflows/launch-dialog.tsx')).LaunchDialog,
}));

interface Shown {
  workflowId: number;
  /** Makes a new form for each opening. */
  key: string;
}

interface Props {
  projectId: number;
  children: ReactNode;
}

/** Like the dialog of tasks, the one of workflows is opened by a click, by a link or by the palette. */
export function WorkflowLaunchProvider({ projectId, children }: Props) {
  const navigate = useNavigate();
  const { launch } = useSearch({ from: '/app/project/$projectId' });
  const mayRun = useAccess(projectId)('run_tasks');
  const asked = useAsked(launch, mayRun);
  const [last, setLast] = useState<Shown | null>(null);
  const [opened, setOpened] = useState(false);
  const open = useCallback((workflowId: number) => {
    setLast({ workflowId, key: `click-${Date.now()}` });
    setOpened(true);
  }, []);
  const leave = () =>
    void navigate({
      to: '.',
      search: (search) => ({ ...search, launch: undefined }),
      resetScroll: false,
    });
  useRefusedForm(launch !== undefined && !mayRun, leave);
  const close = () => {
    setOpened(false);
    if (!asked) return;
    setLast(asked);
    leave();
  };
  const launched = (runId: number) => {
    setOpened(false);
    if (asked) setLast(asked);
    void navigate({
      to: '/project/$projectId/workflow_runs/$runId',
      params: { projectId, runId },
      search: {},
    });
  };
  const shown = asked ?? last;
  return (
    <Context value={open}>
      {children}
      {shown && (
        <Suspense>
          <LaunchDialog
            key={shown.key}
            projectId={projectId}
            workflowId={shown.workflowId}
            opened={opened || asked !== null}
            onClose={close}
            onLaunched={launched}
          />
        </Suspense>
      )}
    </Context>
  );
}

/** What the address asks to launch. */
const useAsked = (launch: number | undefined, mayRun: boolean): Shown | null =>
  launch === undefined || !mayRun ? null : { workflowId: launch, key: `launch-${launch}` };
