import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { confirmationWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { DecisionCard } from '../../../ui/page/decision-card.tsx';
import { userQueries } from '../../users/users.queries.ts';
import { planWords } from '../plan/plan-words.ts';
import { confirmTask, rejectTask } from '../tasks.queries.ts';
import { type ConfirmableTask, ConfirmationFacts } from './confirmation-facts.tsx';
import { type May, refusalOf } from '../../../lib/roles/may.ts';

interface Props {
  task: ConfirmableTask;
  title: ReactNode;
  subtitle?: ReactNode;
  /** Names the task on the buttons, in a list of cards. */
  subject?: string;
  heading?: 'h2' | 'h3';
  may: May;
  /** Makes the summary of the plan a link to it. */
  renderPlan: (words: string) => ReactNode;
}

/** A task that waits for a confirmation, with what it will do. */
export function ConfirmationCard({ task, may, renderPlan, ...head }: Props) {
  const confirm = useMutation({ ...confirmTask(), onError: toastFailure });
  const reject = useMutation({ ...rejectTask(), onError: toastFailure });
  const params = { project_id: task.project_id, task_id: task.id };
  const refused = refusalOf(may, 'task.confirm');
  const why = task.confirmation_reason;
  const { data: user } = useQuery(userQueries.current());
  const isOwn = why?.code === 'confirmation.second_person' && why.params['user'] === user?.username;
  return (
    <DecisionCard
      {...head}
      refused={refused}
      approve={{
        words: t('task.confirm'),
        refused: isOwn ? t('errors.task.confirm_by_other') : null,
        isSent: confirm.isPending,
        onClick: () => confirm.mutate({ params }),
      }}
      reject={{
        words: t('task.reject'),
        isSent: reject.isPending,
        onClick: () => reject.mutate({ params }),
      }}
      summary={task.plan && renderPlan(planWords(task.plan))}
      facts={<ConfirmationFacts task={task} />}
    >
      {why && <p className="break weight-550">{confirmationWords(why)}</p>}
      {refused === null && !isOwn && <p className="soft">{t('task.please_confirm')}</p>}
    </DecisionCard>
  );
}
