import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconHandStop,
  IconPlayerStop,
  IconPlayerTrackNext,
} from '@tabler/icons-react';
import type { RunStatus } from '#shared/workflows/run-status.ts';
import { t } from '../../lib/i18n.ts';
import { Spinner } from '../../ui/feedback/chip.tsx';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';
import type { ShownState } from './run-words.ts';

const size = 15;

const runLooks: ChipStyles<RunStatus> = {
  running: { tone: 'running', icon: <Spinner /> },
  stopping: { tone: 'warning', icon: <Spinner /> },
  success: { tone: 'success', icon: <IconCircleCheck size={size} /> },
  error: { tone: 'danger', icon: <IconCircleX size={size} /> },
  stopped: { tone: 'neutral', icon: <IconPlayerStop size={size} /> },
};

const nodeLooks: ChipStyles<ShownState> = {
  idle: { tone: 'neutral', icon: <IconCircleDashed size={size} /> },
  active: { tone: 'running', icon: <Spinner /> },
  success: { tone: 'success', icon: <IconCircleCheck size={size} /> },
  failure: { tone: 'danger', icon: <IconCircleX size={size} /> },
  skipped: { tone: 'neutral', icon: <IconPlayerTrackNext size={size} /> },
  approval: { tone: 'warning', icon: <IconHandStop size={size} /> },
  wait: { tone: 'running', icon: <IconClock size={size} /> },
};

export function RunChip({ status, waitsFor = [] }: { status: RunStatus; waitsFor?: string[] }) {
  if (status === 'running' && waitsFor.length > 0) return <NodeChip state="approval" />;
  return <StateChip state={status} looks={runLooks} words={(one) => t(`workflow.status.${one}`)} />;
}

export function NodeChip({ state }: { state: ShownState }) {
  return <StateChip state={state} looks={nodeLooks} words={(one) => t(`workflow.state.${one}`)} />;
}
