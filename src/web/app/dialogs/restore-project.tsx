import { useNavigate } from '@tanstack/react-router';
import { lazy } from 'react';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';

const RestoreDialog = lazy(async () => ({
  default: (await import('../../features/backups/restore-dialog.tsx')).RestoreDialog,
}));

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
