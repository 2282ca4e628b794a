import { useNavigate } from '@tanstack/react-router';
import { lazyExport } from '../../ui/lazy-export.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';

const RestoreDialog = lazyExport(
  () => import('../../features/backups/restore-dialog.tsx'),
  'RestoreDialog',
);

export function RestoreProject({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <OnceOpened opened={opened}>
      <RestoreDialog
        opened={opened}
        onClose={onClose}
        onOpen={(projectId) => void navigate({ to: '/project/$projectId', params: { projectId } })}
      />
    </OnceOpened>
  );
}
