import type { Task } from '#shared/api/tasks.ts';
import { languageTag, useTranslation } from '../../lib/i18n.ts';
import { clockTime } from '../../lib/time.ts';

/** Why a waiting task does not start. */
export function WaitingReason({ task }: { task: Pick<Task, 'status' | 'waiting_for'> }) {
  const { t } = useTranslation();
  const { status, waiting_for: reason } = task;
  if (status !== 'waiting' || !reason) return null;
  const { task_id: id, limit, until } = reason;
  const time = until && clockTime(until, languageTag);
  return (
    <span className="soft">{t(`task.waiting_for.${reason.reason}`, { id, limit, time })}</span>
  );
}
