import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { IconRepeat } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { RunHost } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { t } from '../../../lib/i18n.ts';
import { ActionButton } from '../../../ui/buttons/action-button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { noRunSearch } from '../run-search.ts';
import { runAgain } from '../run.queries.ts';
import { isBad, worstOf } from './outcomes.ts';
import { type May, refusalOf } from '../../../lib/roles/may.ts';

/** How many hosts the confirmation lists. */
const MAX_NAMED_ITEMS = 10;

interface Props {
  task: Task;
  hosts: RunHost[];
  shown: RunHost[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  may: May;
}

type HostSelection = 'bad' | 'chosen';

/**
 * Launches the task again on the failed or the selected hosts, after a confirmation. Hosts can be
 * selected during the run, so that the list does not move at its end.
 */
export function RunAgainOnHosts({ task, hosts, may, ...choice }: Props) {
  const { chosen } = choice;
  const mayRun = may('task.restart');
  const [asked, setAsked] = useState<HostSelection | null>(null);
  const show = useShowTask();
  const again = useMutation({
    ...runAgain(),
    onSuccess: show,
    onError: toastFailure,
    onSettled: () => setAsked(null),
  });
  const isOver = isFinished(task.status);
  if (!isOver && !mayRun) return null;
  const bad = hosts.filter((host) => isBad(worstOf(host))).map(({ host }) => host);
  const names = asked === 'bad' ? bad : [...chosen];
  const refused = isOver ? refusalOf(may, 'task.restart') : t('run.again_later');
  const words = {
    bad: t('run.again_bad', { count: bad.length }),
    chosen: t('run.again_chosen', { count: chosen.size }),
  };
  const buttons: HostSelection[] = [
    ...(bad.length > 0 ? (['bad'] as const) : []),
    ...(chosen.size > 0 ? (['chosen'] as const) : []),
  ];
  if (buttons.length === 0 && !mayRun) return null;
  const send = () =>
    again.mutate({
      params: { project_id: task.project_id, task_id: task.id },
      body: { hosts: asked === 'bad' ? 'failed_or_unreachable' : names },
    });
  return (
    <div className="flex wrap gap-8 flex-none gutter py-8 border-bottom">
      {buttons.map((which) => (
        <ActionButton
          key={which}
          variant="default"
          size="compact-sm"
          leftSection={<IconRepeat size={15} />}
          refused={refused}
          onClick={() => setAsked(which)}
        >
          {words[which]}
        </ActionButton>
      ))}
      {mayRun && <ChooseButtons {...choice} />}
      <ConfirmDialog
        opened={asked !== null}
        title={words[asked ?? 'bad']}
        text={t('run.again_text', { hosts: named(names) })}
        action={t('task.run_again')}
        isHarmless
        confirmsOnEnter
        busy={again.isPending}
        onConfirm={send}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}

/** Adds the visible hosts to the selection; or clears the selection. */
function ChooseButtons({ shown, chosen, onChoose }: Pick<Props, 'shown' | 'chosen' | 'onChoose'>) {
  const buttons = useRef<HTMLSpanElement>(null);
  const chooseNone = () => {
    // The clicked button disappears, and would lose the focus.
    buttons.current?.querySelector('button')?.focus();
    onChoose(new Set());
  };
  return (
    <span ref={buttons} className="inline-flex wrap gap-8">
      <ActionButton
        variant="subtle"
        size="compact-sm"
        onClick={() => onChoose(new Set([...chosen, ...shown.map(({ host }) => host)]))}
      >
        {t('run.choose_shown')}
      </ActionButton>
      {chosen.size > 0 && (
        <ActionButton variant="subtle" size="compact-sm" onClick={chooseNone}>
          {t('run.choose_none')}
        </ActionButton>
      )}
    </span>
  );
}

const named = (names: string[]): string =>
  names.slice(0, MAX_NAMED_ITEMS).join(', ') + (names.length > MAX_NAMED_ITEMS ? ' …' : '');

/** Opens a task in the same way as the one before: in the dialog, or as a page. */
function useShowTask(): (task: Task) => void {
  const navigate = useNavigate();
  const { t: inDialog } = useSearch({ strict: false });
  return ({ id, project_id: projectId }) => {
    if (inDialog === undefined) {
      const params = { projectId, taskId: id };
      return void navigate({ to: '/project/$projectId/tasks/$taskId', params });
    }
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...noRunSearch, t: id }),
      resetScroll: false,
    });
  };
}
