import {
  IconCalendarOff,
  IconCircleCheck,
  IconCircleX,
  IconPlayerSkipForward,
} from '@tabler/icons-react';
import type { Fire, FireResult } from '#shared/api/schedules.ts';
import { isKnown, t } from '../../lib/i18n.ts';
import { Spinner } from '../../ui/feedback/chip.tsx';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';

const looks: ChipStyles<FireResult> = {
  checking: { tone: 'running', icon: <Spinner /> },
  started: { tone: 'success', icon: <IconCircleCheck size={15} /> },
  skipped: { tone: 'neutral', icon: <IconPlayerSkipForward size={15} /> },
  missed: { tone: 'warning', icon: <IconCalendarOff size={15} /> },
  failed: { tone: 'danger', icon: <IconCircleX size={15} /> },
};

export function FireChip({ result }: { result: FireResult }) {
  return (
    <StateChip state={result} looks={looks} words={(known) => t(`schedule.result.${known}`)} />
  );
}

/**
 * Why a due time was skipped or failed, and how many due times the entry stands for; may be empty.
 */
export function fireReason({ result, reason, code, params, error, count }: Fire): string {
  if (reason !== null) return t(`schedule.skipped.${reason}`);
  if (code !== null && isKnown('errors', code)) return t(`errors.${code}`, { ...params });
  if (result === 'missed') return t('schedule.missed_times', { count });
  return error ?? '';
}
