import {
  IconCircleCheck,
  IconHourglassEmpty,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnectedX,
  IconSquare,
  IconTrash,
} from '@tabler/icons-react';
import type { Runner } from '#shared/api/runners.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { RowActions } from '../../ui/lists/row-actions.tsx';
import { RunnerAndProject, RunnerName } from './runner-name.tsx';
import { TagsEdit } from './tags-edit.tsx';
import { TokenRenewal } from './token-renewal.tsx';

const looks: ChipStyles<Runner['state']> = {
  new: { tone: 'warning', icon: <IconHourglassEmpty size={15} /> },
  ready: { tone: 'success', icon: <IconCircleCheck size={15} /> },
  draining: { tone: 'warning', icon: <IconPlayerPause size={15} /> },
  stopped: { tone: 'neutral', icon: <IconSquare size={15} /> },
  silent: { tone: 'danger', icon: <IconPlugConnectedX size={15} /> },
};

interface Actions {
  onDrain: (runner: Runner, draining: boolean) => void;
  onForget: (runner: Runner) => void;
}

/** `isOfAll`: the list has runners of several projects. */
export const runnerColumns = (actions: Actions, isOfAll: boolean): Column<Runner>[] => [
  {
    key: 'name',
    title: t('runner.column.name'),
    wide: true,
    cell: isOfAll ? RunnerAndProject : RunnerName,
  },
  {
    key: 'role',
    title: t('runner.column.role'),
    from: 'medium',
    cell: ({ role }) => t(`runner.role.${role}`),
  },
  {
    key: 'state',
    title: t('runner.column.state'),
    cell: ({ state }) => (
      <StateChip state={state} looks={looks} words={(known) => t(`runner.state.${known}`)} />
    ),
  },
  {
    key: 'tags',
    title: t('runner.column.tags'),
    from: 'medium',
    cell: ({ tags }) => (tags.length > 0 ? <code>{tags.join(', ')}</code> : '—'),
  },
  {
    key: 'running',
    title: t('runner.column.running'),
    from: 'small',
    cell: ({ state, running, slots }) => (
      <span className="numbers">
        {slots === null || state === 'new' ? '—' : runningWords(running, slots)}
      </span>
    ),
  },
  {
    key: 'load',
    title: t('runner.column.load'),
    from: 'medium',
    cell: ({ state, load }) => (
      <span className="numbers">{state === 'new' ? '—' : t('runner.load', { load })}</span>
    ),
  },
  {
    key: 'version',
    title: t('runner.column.version'),
    from: 'large',
    cell: ({ version }) => (version === '' ? '—' : <code>{version}</code>),
  },
  {
    key: 'seen',
    title: t('runner.column.seen'),
    from: 'small',
    cell: ({ state, last_seen: time }) => <TimeAgo time={state === 'new' ? null : time} />,
  },
  {
    key: 'actions',
    title: '',
    hiddenTitle: t('common.actions'),
    align: 'end',
    cell: (runner) => <RunnerActions runner={runner} {...actions} />,
  },
];

const runningWords = (running: number, most: number): string =>
  most > 0 ? t('runner.running_of', { running, most }) : t('runner.running', { running });

function RunnerActions({ runner, onDrain, onForget }: Actions & { runner: Runner }) {
  const { name, role, state, remote, draining } = runner;
  const isGone = state === 'stopped' || state === 'silent';
  return (
    <RowActions>
      {draining !== null && role !== 'web' && state !== 'new' && (
        <IconButton
          label={t(draining ? 'runner.resume_label' : 'runner.drain_label', { name })}
          hint={t(draining ? 'runner.resume' : 'runner.drain')}
          icon={draining ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
          onClick={() => onDrain(runner, !draining)}
        />
      )}
      {remote && <TagsEdit runner={runner} />}
      {remote && <TokenRenewal runner={runner} />}
      {(remote || isGone) && (
        <IconButton
          label={t(remote ? 'runner.remove_label' : 'runner.forget_label', { name })}
          hint={t(remote ? 'runner.remove' : 'runner.forget')}
          icon={<IconTrash size={16} />}
          onClick={() => onForget(runner)}
        />
      )}
    </RowActions>
  );
}
