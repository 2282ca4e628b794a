import { IconPlayerPlay } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/buttons/action-button.tsx';
import { RowButton } from '../../ui/buttons/row-button.tsx';
import { type May, refusalOf } from '../../lib/roles/may.ts';

interface Props {
  name: string;
  may: May;
  onClick: () => void;
  /** Whether the button is one of many in a list. */
  quiet?: boolean;
}

export function LaunchButton({ name, may, onClick, quiet = false }: Props) {
  const refused = refusalOf(may, 'workflow.run');
  if (quiet) {
    return (
      <RowButton
        label={t('workflow.launch_label', { name })}
        icon={<IconPlayerPlay size={14} />}
        refused={refused}
        onClick={onClick}
      >
        {t('workflow.launch')}
      </RowButton>
    );
  }
  return (
    <ActionButton
      leftSection={<IconPlayerPlay size={16} />}
      refused={refused}
      onClick={onClick}
      aria-label={t('workflow.launch')}
      data-shortcut="r"
    >
      {t('workflow.launch')}
    </ActionButton>
  );
}
