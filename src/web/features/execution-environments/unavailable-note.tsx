import { IconAlertTriangle } from '@tabler/icons-react';
import type { unavailableReasons } from '#shared/api/execution-environments.ts';
import { t } from '../../lib/i18n.ts';
import { Chip } from '../../ui/feedback/chip.tsx';

type Reason = (typeof unavailableReasons)[number];

const wordsOf = (reason: Reason): string => t(`execution_environment.unavailable_${reason}`);

export const UnavailableChip = ({ reason }: { reason: Reason }) => (
  <span title={wordsOf(reason)}>
    <Chip tone="warning" icon={<IconAlertTriangle size={15} />}>
      {t('execution_environment.unavailable')}
    </Chip>
  </span>
);

/** Why containers or pods cannot run, where one fills in what they need. */
export const UnavailableNote = ({ reason }: { reason: Reason }) => (
  <p className="flex items-start gap-8 small color-warning" role="note">
    <IconAlertTriangle size={16} className="flex-none" aria-hidden="true" />
    {wordsOf(reason)}
  </p>
);
