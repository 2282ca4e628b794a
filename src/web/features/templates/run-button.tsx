import { IconPlayerPlay } from '@tabler/icons-react';
import type { Template } from '#shared/api/templates.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/action-button.tsx';

interface Props {
  mayRun: boolean;
  name: string;
  type: Template['type'];
  onClick: () => void;
  /** One of many in a list. */
  quiet?: boolean;
}

export function RunButton({ mayRun, name, type, onClick, quiet = false }: Props) {
  const { t } = useTranslation();
  const verb = type || 'run';
  return (
    <ActionButton
      variant={quiet ? 'default' : 'filled'}
      size={quiet ? 'compact-sm' : 'sm'}
      leftSection={<IconPlayerPlay size={quiet ? 14 : 16} />}
      aria-label={quiet ? t(`template.${verb}_label`, { name }) : t(`task.${verb}`)}
      refused={mayRun ? null : t('role.read_only')}
      onClick={onClick}
    >
      {t(`task.${verb}`)}
    </ActionButton>
  );
}
