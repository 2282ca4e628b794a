import { useNavigate, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, Suspense, useContext } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { useAccess } from '../session/access.ts';
import { useRefusedForm } from '../address/edit-address.ts';
import { useLaunchDialog } from './use-launch-dialog.ts';

const Context = createContext<(workflowId: number) => void>(() => {});

export const useLaunchWorkflow = () => useContext(Context);

const LaunchDialog = lazyExport(
  () => import('../../features/workflows/launch-dialog.tsx'),
  'LaunchDialog',
);

interface Props {
  projectId: number;
  children: ReactNode;
}

export function WorkflowLaunchProvider({ projectId, children }: Props) {
  const navigate = useNavigate();
  const { launch } = useSearch({ from: '/app/project/$projectId' });
  const may = useAccess(projectId);
  const isRefused = launch !== undefined && !may('workflow.run', { type: 'workflow', id: launch });
  const leave = () =>
    void navigate({
      to: '.',
      search: (search) => ({ ...search, launch: undefined }),
      resetScroll: false,
    });
  useRefusedForm(isRefused, leave);
  const asked =
    launch === undefined || isRefused ? null : { target: launch, key: `launch-${launch}` };
  const { shown, opened, open, hide, close } = useLaunchDialog<number>(asked, leave);
  const launched = (runId: number) => {
    hide();
    void navigate({
      to: '/project/$projectId/workflow_runs/$runId',
      params: { projectId, runId },
      search: {},
    });
  };
  return (
    <Context value={open}>
      {children}
      {shown && (
        <Suspense>
          <LaunchDialog
            key={shown.key}
            projectId={projectId}
            workflowId={shown.target}
            opened={opened}
            onClose={close}
            onLaunched={launched}
          />
        </Suspense>
      )}
    </Context>
  );
}
