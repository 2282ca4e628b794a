import { Link } from '@tanstack/react-router';
import type { WholeTask } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { ConfirmationCard } from '../confirmation/confirmation-card.tsx';
import { toView } from '../results/run-address.ts';
import { taskVersion } from '../task-link.tsx';
import type { May } from '../../../lib/roles/may.ts';

/** On the page of a task that waits for a confirmation. */
export function TaskConfirmation({ task, may }: { task: WholeTask; may: May }) {
  return (
    <div className="flex-none gutter py-12 border-bottom">
      <ConfirmationCard
        task={{ ...task, version: taskVersion(task) }}
        title={t('task.confirmation.title')}
        may={may}
        renderPlan={(words) => (
          <Link to="." search={toView('plan')} resetScroll={false}>
            {words}
          </Link>
        )}
      />
    </div>
  );
}
