import {
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconCopy,
  IconFilterOff,
} from '@tabler/icons-react';
import type { DeliveryResult } from '#shared/deliveries.ts';
import { t } from '../../lib/i18n.ts';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';

const looks: ChipStyles<DeliveryResult> = {
  started: { tone: 'success', icon: <IconCircleCheck size={15} /> },
  not_matched: { tone: 'neutral', icon: <IconFilterOff size={15} /> },
  duplicate: { tone: 'neutral', icon: <IconCopy size={15} /> },
  unauthorized: { tone: 'warning', icon: <IconBan size={15} /> },
  failed: { tone: 'danger', icon: <IconCircleX size={15} /> },
};

export function ResultChip({ result }: { result: DeliveryResult }) {
  return (
    <StateChip state={result} looks={looks} words={(known) => t(`delivery.result.${known}`)} />
  );
}
