import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmationCard } from './confirmation-card.tsx';
import type { ConfirmableTask } from './confirmation-facts.tsx';
import type { May } from '../../../lib/roles/may.ts';

interface Props {
  task: ConfirmableTask;
  template: string;
  subtitle?: ReactNode;
  heading?: 'h2' | 'h3';
  may: May;
}

/** The card of a task that waits for a confirmation on other pages than its own, to which it leads. */
export function LinkedConfirmation({ task, template, ...card }: Props) {
  const { id, project_id: projectId } = task;
  const address = {
    to: '/project/$projectId/tasks/$taskId',
    params: { projectId, taskId: id },
  } as const;
  return (
    <ConfirmationCard
      {...card}
      task={task}
      title={
        <Link {...address}>
          <span className="numbers">#{id}</span> {template}
        </Link>
      }
      subject={`#${id} ${template}`}
      renderPlan={(words) => (
        <Link {...address} search={{ view: 'plan' }}>
          {words}
        </Link>
      )}
    />
  );
}
