import { IconRepeat } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/buttons/action-button.tsx';
import classes from './run-again-button.module.css';
import { type May, refusalOf } from '../../lib/roles/may.ts';

interface Props {
  may: May;
  taskId: number;
  onClick: () => void;
}

export function RunAgainButton({ may, taskId, onClick }: Props) {
  return (
    <ActionButton
      className={classes.button}
      variant="default"
      size="compact-sm"
      leftSection={<IconRepeat size={15} />}
      aria-label={t('task.run_again_label', { id: taskId })}
      refused={may('template.run') ? null : refusalOf(may, 'task.restart')}
      onClick={onClick}
    >
      <span className="narrow-hidden">{t('task.run_again')}</span>
    </ActionButton>
  );
}
