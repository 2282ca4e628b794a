import { IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/action-button.tsx';

interface Props {
  mayRun: boolean;
  name: string;
  onClick: () => void;
  /** One of many in a list. */
  quiet?: boolean;
}

export function RunButton({ mayRun, name, onClick, quiet = false }: Props) {
  const { t } = useTranslation();
  return (
    <ActionButton
      variant={quiet ? 'default' : 'filled'}
      size={quiet ? 'compact-sm' : 'sm'}
      leftSection={<IconPlayerPlay size={quiet ? 14 : 16} />}
      aria-label={quiet ? t('template.run_label', { name }) : t('task.run')}
      refused={mayRun ? null : t('role.read_only')}
      onClick={onClick}
    >
      {t('task.run')}
    </ActionButton>
  );
}
