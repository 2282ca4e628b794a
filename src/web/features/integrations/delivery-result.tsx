import {
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconCopy,
  IconFilterOff,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DeliveryResult } from '#shared/deliveries.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Chip, type Tone } from '../../ui/feedback/chip.tsx';

const looks: Record<DeliveryResult, { tone: Tone; icon: ReactNode }> = {
  started: { tone: 'success', icon: <IconCircleCheck size={15} /> },
  not_matched: { tone: 'neutral', icon: <IconFilterOff size={15} /> },
  duplicate: { tone: 'neutral', icon: <IconCopy size={15} /> },
  unauthorized: { tone: 'warning', icon: <IconBan size={15} /> },
  failed: { tone: 'danger', icon: <IconCircleX size={15} /> },
};

/** The result of a delivery. */
export function ResultChip({ result }: { result: DeliveryResult }) {
  const { t } = useTranslation();
  const { tone, icon } = looks[result];
  return (
    <Chip tone={tone} icon={icon}>
      {t(`delivery.result.${result}`)}
    </Chip>
  );
}
