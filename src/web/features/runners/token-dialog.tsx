import type { RunnerRegistration } from '#shared/api/runners.ts';
import { t } from '../../lib/i18n.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { RunnerToken } from './runner-token.tsx';

interface Props {
  opened: boolean;
  onClose: () => void;
  name: string;
  registration: RunnerRegistration;
}

export function TokenDialog({ opened, onClose, name, registration }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('runner.set_up', { name })}
      size={640}
      keepOnClickOutside
      help="runner"
    >
      <RunnerToken {...registration} />
    </Dialog>
  );
}
