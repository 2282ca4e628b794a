import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WholeTask } from '#shared/api/tasks.ts';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { confirmationWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { TimeAhead } from '../../../lib/time-text.tsx';
import { DecisionCard } from '../../../ui/page/decision-card.tsx';
import { LaunchedBy } from '../../../ui/page/launched-by.tsx';
import { planWords } from '../plan/plan-words.ts';
import { toView } from '../results/run-address.ts';
import { TaskVersion } from '../task-link.tsx';
import { confirmTask, stopTask } from '../tasks.queries.ts';
import { Fact } from './task-facts.tsx';

interface Props {
  task: WholeTask;
  mayRun: boolean;
}

/** A task that waits for a confirmation: its plan, its starter, and its timeout. */
export function ConfirmationCard({ task, mayRun }: Props) {
  const confirm = useMutation({ ...confirmTask(), onError: toastFailure });
  const stop = useMutation({ ...stopTask(), onError: toastFailure });
  const params = { project_id: task.project_id, task_id: task.id };
  const { plan, confirmation_reason: why } = task;
  return (
    <div className="flex-none gutter py-12 border-bottom">
      <DecisionCard
        title={t('task.confirmation.title')}
        refused={mayRun ? null : t('role.read_only')}
        approve={{
          words: t('task.confirm'),
          isSent: confirm.isPending,
          onClick: () => confirm.mutate({ params }),
        }}
        reject={{
          words: t('task.reject'),
          isSent: stop.isPending,
          onClick: () => stop.mutate({ params, body: { force: false } }),
        }}
      >
        {plan && (
          <Link to="." search={toView('plan')} resetScroll={false}>
            {planWords(plan)}
          </Link>
        )}
        {why && (
          <p className="break" style={{ fontWeight: 560 }}>
            {confirmationWords(why)}
          </p>
        )}
        <Facts task={task} />
        {mayRun && <p className="soft">{t('task.please_confirm')}</p>}
      </DecisionCard>
    </div>
  );
}

function Facts({ task }: Pick<Props, 'task'>) {
  const { launched_with: used, commit_hash: hash, confirm_until: until } = task;
  const hosts = [used.inventory?.name, used.limit].filter(Boolean).join(' · ');
  return (
    <dl className="flex wrap gap-4-20 min-w-0">
      {(task.version ?? task.build_task) && (
        <Fact name={t('task.column.version')}>
          <TaskVersion task={task} />
        </Fact>
      )}
      {hash ? (
        <Fact name={t('task.fact.commit')} isLong>
          <code title={hash}>{hash.slice(0, 8)}</code> {task.commit_message}
        </Fact>
      ) : (
        used.branch && (
          <Fact name={t('new_task.branch')}>
            <code>{used.branch}</code>
          </Fact>
        )
      )}
      {hosts && <Fact name={t('task.confirmation.hosts')}>{hosts}</Fact>}
      <Fact name={t('task.fact.user')}>
        <LaunchedBy projectId={task.project_id} user={task.user_name} launcher={task.launcher} />
      </Fact>
      {until && (
        <Fact name={t('task.confirmation.until')}>
          <TimeAhead time={until} />
        </Fact>
      )}
    </dl>
  );
}
