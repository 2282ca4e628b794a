import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Task, WholeTask } from '#shared/api/tasks.ts';
import { kindOf } from '#shared/apps.ts';
import { isFinished } from '#shared/task-status.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { lazyExport } from '../../../ui/lazy-export.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { t } from '../../../lib/i18n.ts';
import { RunSkeleton, RunTabs } from '../results/run-tabs.tsx';
import { type RunView, useRunAddress } from '../results/run-address.ts';
import { taskQueries } from '../tasks.queries.ts';
import { TaskPrograms } from './task-programs.tsx';
import { TaskPrint } from './task-print.tsx';
import { TaskHeader } from './task-header.tsx';
import classes from './task-view.module.css';
import taskCommandsClasses from './task-commands.module.css';
import { type May, mayOn, refusalOf } from '../../../lib/roles/may.ts';

const loadLog = () => import('../log-view/task-log.tsx');

const TaskLog = lazyExport(loadLog, 'TaskLog');

const RunViews = lazyExport(() => import('../results/run-views.tsx'), 'RunViews');

const TimelineView = lazyExport(() => import('../timeline/timeline-view.tsx'), 'TimelineView');

const PlanView = lazyExport(() => import('../plan/plan-view.tsx'), 'PlanView');

const TaskConfirmation = lazyExport(() => import('./task-confirmation.tsx'), 'TaskConfirmation');

const RunEnd = lazyExport(() => import('./run-end.tsx'), 'RunEnd');

interface Props {
  projectId: number;
  taskId: number;
  may: May;
  onRunAgain: (task: Task) => void;
  isPage?: boolean;
  /** A link to another page if the task cannot be shown. */
  wayOut?: ReactNode;
}

/** The content that the dialog and the page share. */
export function TaskView(props: Props) {
  const { projectId, taskId, may, onRunAgain, isPage = false, wayOut } = props;
  const { data: task, error, refetch } = useQuery(taskQueries.one(projectId, taskId));
  const { view } = useRunAddress();
  const [isPrinting, setPrinting] = useState(false);
  // Preloads the most likely view while the task is read. On failure, the view itself loads again
  // and shows the error.
  useEffect(() => {
    if (view === 'log') loadLog().catch(() => undefined);
  }, [view]);
  if (task) {
    const mayTask = mayOn(may, 'template', task.template_id);
    return (
      <div className="column flex-1 min-h-0 overflow-auto">
        <TaskHeader
          task={task}
          may={mayTask}
          onRunAgain={() => onRunAgain(task)}
          onPrint={() => setPrinting(true)}
          isPage={isPage}
        />
        {mayTask('task.log') && (
          <TaskPrint task={task} isPrinting={isPrinting} onPrinting={setPrinting} />
        )}
        {task.status === 'waiting_confirmation' && (
          <Suspense>
            <TaskConfirmation task={task} may={mayTask} />
          </Suspense>
        )}
        {mayTask('task.log') ? <RunOf task={task} may={mayTask} /> : <NoLog may={mayTask} />}
      </div>
    );
  }
  if (error) {
    return (
      <div style={{ maxWidth: 560, padding: 20 }}>
        <QueryFailure error={error} refetch={refetch} />
        {wayOut}
      </div>
    );
  }
  return (
    <div className={`row wrap flex-none border-bottom ${classes.header}`}>
      <Skeleton width={90} height={22} />
      <Skeleton width="40%" />
    </div>
  );
}

/** In place of the log, for users who may not read it. */
const NoLog = ({ may }: { may: May }) => (
  <p className="gutter py-12 soft">{refusalOf(may, 'task.log')}</p>
);

/** The views of the run; those of its app are there before it has reported anything. */
function viewsOf(task: Task): RunView[] {
  if (hasHosts(task)) return ['log', 'hosts', 'tasks', 'timeline'];
  return task.plan === null ? ['log'] : ['log', 'plan', 'timeline'];
}

const hasHosts = ({ tpl_app: app, status, progress }: Task): boolean =>
  progress !== null || (kindOf(app) === 'ansible' && !isFinished(status));

/** The log of the task, or another view if its app has more views. */
function RunOf({ task, may }: { task: WholeTask; may: May }) {
  const views = viewsOf(task);
  const { view: asked } = useRunAddress();
  const view = views.includes(asked) ? asked : 'log';
  const tabs = views.length > 1 && <RunTabs views={views} view={view} />;
  if (view !== 'log') {
    return (
      <>
        {tabs}
        <Suspense fallback={<RunSkeleton />}>
          {view === 'plan' && <PlanView key={task.id} task={task} />}
          {view === 'timeline' && (
            <TimelineView key={task.id} task={task} hasResults={hasHosts(task)} />
          )}
          {(view === 'hosts' || view === 'tasks') && (
            <RunViews key={task.id} task={task} may={may} />
          )}
        </Suspense>
      </>
    );
  }
  return (
    <>
      {tabs}
      <Suspense>{isFinished(task.status) && <RunEnd key={task.id} task={task} />}</Suspense>
      <Suspense fallback={<RunSkeleton />}>
        <TaskLog
          key={task.id}
          task={task}
          beside={
            <>
              <TaskPrograms tools={task.tools} />
              <TaskCommands commands={task.commands} />
            </>
          }
        />
      </Suspense>
    </>
  );
}

function TaskCommands({ commands }: { commands: string[] }) {
  if (commands.length === 0) return null;
  return (
    <details className={`flex-none max-w-full ${taskCommandsClasses.commands}`}>
      <summary className="soft" style={{ width: 'fit-content' }}>
        {t('task.commands', { count: commands.length })}
      </summary>
      <ol className="grid gap-6 overflow-auto" style={{ maxHeight: '30vh', padding: '8px 0 4px' }}>
        {commands.map((command) => (
          <li key={command}>
            <code className="break pre-wrap">{command}</code>
          </li>
        ))}
      </ol>
    </details>
  );
}
