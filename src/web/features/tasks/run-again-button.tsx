import { IconRepeat } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/action-button.tsx';

interface Props {
  mayRun: boolean;
  taskId: number;
  onClick: () => void;
}

export function RunAgainButton({ mayRun, taskId, onClick }: Props) {
  const { t } = useTranslation();
  return (
    <ActionButton
      variant="default"
      size="compact-sm"
      leftSection={<IconRepeat size={15} />}
      aria-label={t('task.run_again_label', { id: taskId })}
      refused={mayRun ? null : t('role.read_only')}
      onClick={onClick}
    >
      {t('task.run_again')}
    </ActionButton>
  );
}
