import { IconRepeat } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/buttons/action-button.tsx';
import classes from './run-again-button.module.css';

interface Props {
  mayRun: boolean;
  taskId: number;
  onClick: () => void;
}

export function RunAgainButton({ mayRun, taskId, onClick }: Props) {
  return (
    <ActionButton
      className={classes.button}
      variant="default"
      size="compact-sm"
      leftSection={<IconRepeat size={15} />}
      aria-label={t('task.run_again_label', { id: taskId })}
      refused={mayRun ? null : t('role.read_only')}
      onClick={onClick}
    >
      <span className="narrow-hidden">{t('task.run_again')}</span>
    </ActionButton>
  );
}
