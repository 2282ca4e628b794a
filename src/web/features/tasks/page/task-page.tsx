import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Task } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { TaskTitle } from './task-header.tsx';
import classes from './task-page.module.css';
import { TaskView } from './task-view.tsx';
import { taskQueries } from '../tasks.queries.ts';
import type { May } from '../../../lib/roles/may.ts';

interface Props {
  projectId: number;
  taskId: number;
  may: May;
  onRunAgain: (task: Task) => void;
}

export function TaskPage(props: Props) {
  const { projectId, taskId } = props;
  const { data: task } = useQuery(taskQueries.one(projectId, taskId));
  const title = t('task.title', { id: taskId });
  const history = (
    <Link to="/project/$projectId/history" params={{ projectId }}>
      {t('dashboard.history')}
    </Link>
  );
  return (
    <div className={`column ${classes.page}`}>
      <title>{`${task ? `${task.tpl_alias} › ${title}` : title} · Signalbox`}</title>
      <nav
        className={`flex baseline gap-8 flex-none ${classes.above}`}
        aria-label={t('common.breadcrumb')}
      >
        {history}
        <span className="soft" aria-hidden="true">
          ›
        </span>
        <h1 className="min-w-0 weight-600" style={{ fontSize: 16 }}>
          {task ? <TaskTitle task={task} /> : title}
        </h1>
      </nav>
      <TaskView {...props} isPage wayOut={history} />
    </div>
  );
}
