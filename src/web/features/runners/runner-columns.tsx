import {
  IconCircleCheck,
  IconHourglassEmpty,
  IconKey,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnectedX,
  IconSquare,
  IconTags,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Runner, RunnerRegistration } from '#shared/api/runners.ts';
import { projects } from '#shared/api/projects.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { RowActions } from '../../ui/lists/row-actions.tsx';
import { query } from '../../lib/query.ts';
import { Chip } from '../../ui/feedback/chip.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { useConfirmed } from '../../resources/use-confirmed.tsx';
import { actionsColumn, column } from '../../resources/columns.ts';
import { renewRunnerToken } from './runners.queries.ts';

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
  column<Runner>(
    'name',
    t('runner.column.name'),
    { wide: true },
    isOfAll ? RunnerAndProject : RunnerName,
  ),
  column('role', t('runner.column.role'), { from: 'medium' }, ({ role }) =>
    t(`runner.role.${role}`),
  ),
  column('state', t('runner.column.state'), {}, ({ state }) => (
    <StateChip state={state} looks={looks} words={(known) => t(`runner.state.${known}`)} />
  )),
  column('tags', t('runner.column.tags'), { from: 'medium' }, ({ tags }) =>
    tags.length > 0 ? <code>{tags.join(', ')}</code> : '—',
  ),
  column('running', t('runner.column.running'), { from: 'small' }, ({ state, running, slots }) => (
    <span className="numbers">
      {slots === null || state === 'new' ? '—' : runningWords(running, slots)}
    </span>
  )),
  column('load', t('runner.column.load'), { from: 'medium' }, ({ state, load }) => (
    <span className="numbers">{state === 'new' ? '—' : t('runner.load', { load })}</span>
  )),
  column(
    'container_engine',
    t('runner.column.container_engine'),
    { from: 'large' },
    ({ container_engine: engine }) => (engine === '' ? '—' : <code>{engine}</code>),
  ),
  column('version', t('runner.column.version'), { from: 'large' }, ({ version }) =>
    version === '' ? '—' : <code>{version}</code>,
  ),
  column('seen', t('runner.column.seen'), { from: 'small' }, ({ state, last_seen: time }) => (
    <TimeAgo time={state === 'new' ? null : time} />
  )),
  actionsColumn((runner) => <RunnerActions runner={runner} {...actions} />),
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

type Named = Pick<Runner, 'name' | 'remote' | 'project_id' | 'container_engine'>;

function RunnerName({
  name,
  remote,
  container_engine: engine,
  children,
}: Omit<Named, 'project_id'> & Inside) {
  return (
    <span className="row wrap gap-2-8" style={{ minInlineSize: 0 }}>
      <span className="cut">{name}</span>
      {remote && <Chip tone="neutral">{t('runner.remote')}</Chip>}
      {engine.startsWith('kubernetes ') && (
        <span title={t('runner.pods_only_hint')}>
          <Chip tone="neutral">{t('runner.pods_only')}</Chip>
        </span>
      )}
      {children}
    </span>
  );
}

interface Inside {
  children?: ReactNode;
}

/** With a chip for the project, for the list of all runners. */
function RunnerAndProject({ project_id: projectId, ...runner }: Named) {
  const { data: all = [] } = useQuery({
    ...query(projects.list),
    enabled: projectId !== null,
  });
  const project = all.find(({ id }) => id === projectId);
  return (
    <RunnerName {...runner}>{project && <Chip tone="neutral">{project.name}</Chip>}</RunnerName>
  );
}

export function NewRunnerHint() {
  return <p className="soft">{t('runner.new_hint')}</p>;
}

const TagsDialog = lazyExport(() => import('./tags-dialog.tsx'), 'TagsDialog');

function TagsEdit({ runner }: { runner: Runner }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <IconButton
        label={t('runner.edit_tags_label', { name: runner.name })}
        hint={t('runner.edit_tags')}
        icon={<IconTags size={16} />}
        onClick={() => setOpened(true)}
      />
      <OnceOpened opened={opened}>
        <TagsDialog opened={opened} onClose={() => setOpened(false)} runner={runner} />
      </OnceOpened>
    </>
  );
}

const TokenDialog = lazyExport(() => import('./token-dialog.tsx'), 'TokenDialog');

function TokenRenewal({ runner }: { runner: Runner }) {
  const { name } = runner;
  const [isShown, setShown] = useState(false);
  const [made, setMade] = useState<RunnerRegistration | null>(null);
  const renewal = useConfirmed({
    mutation: renewRunnerToken(),
    argsOf: (asked: Runner) => asked,
    wordsOf: () => ({
      title: t('runner.new_token_question'),
      text: t('runner.new_token_text', { name }),
      action: t('runner.new_token'),
    }),
    onDone: (registration) => {
      setMade(registration);
      setShown(true);
    },
  });
  return (
    <>
      <IconButton
        label={t('runner.new_token_label', { name })}
        hint={t('runner.new_token')}
        icon={<IconKey size={16} />}
        onClick={() => renewal.ask(runner)}
      />
      {renewal.dialog}
      {made && (
        <OnceOpened opened={isShown}>
          <TokenDialog
            opened={isShown}
            onClose={() => setShown(false)}
            name={name}
            registration={made}
          />
        </OnceOpened>
      )}
    </>
  );
}
