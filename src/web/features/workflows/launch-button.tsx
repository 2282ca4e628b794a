import { IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/buttons/action-button.tsx';

interface Props {
  /** The name of the workflow. */
  name: string;
  mayRun: boolean;
  onClick: () => void;
  /** Whether the button is one of many in a list. */
  quiet?: boolean;
}

export function LaunchButton({ name, mayRun, onClick, quiet = false }: Props) {
  const { t } = useTranslation();
  return (
    <ActionButton
      variant={quiet ? 'default' : 'filled'}
      size={quiet ? 'compact-sm' : 'sm'}
      leftSection={<IconPlayerPlay size={quiet ? 14 : 16} />}
      refused={mayRun ? null : t('role.read_only')}
      onClick={onClick}
      aria-label={quiet ? t('workflow.launch_label', { name }) : t('workflow.launch')}
      {...(quiet ? {} : { 'data-shortcut': 'r' })}
    >
      {t('workflow.launch')}
    </ActionButton>
  );
}
