import type { Task } from '#shared/api/tasks.ts';
import { t, timeTag } from '../../lib/i18n.ts';
import { clockTime } from '../../lib/time.ts';

export function WaitingReason({ task }: { task: Pick<Task, 'status' | 'waiting_for'> }) {
  const { status, waiting_for: reason } = task;
  if (status !== 'waiting' || !reason) return null;
  const { task_id: id, limit, until, tags } = reason;
  const time = until && clockTime(until, timeTag());
  const given = { id, limit, time, tags: tags?.join(', ') };
  return <span className="soft">{t(`task.waiting_for.${wordOf(reason)}`, given)}</span>;
}

function wordOf({ reason, tags }: NonNullable<Task['waiting_for']>) {
  if (tags === null) return reason;
  return tags.length > 0 ? 'runner_tags' : 'runner_untagged';
}
