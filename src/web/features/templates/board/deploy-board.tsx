import { Link } from '@tanstack/react-router';
import type { DeployBoard as Board, DeployTarget } from '#shared/api/deployments.ts';
import { t, timeTag } from '../../../lib/i18n.ts';
import { relativeTime } from '../../../lib/time.ts';
import { TimeAgo, useNow } from '../../../lib/time-text.tsx';
import { TemplateLink } from '../../../resources/links.tsx';
import { barResultOf } from '../../../resources/bar-result.ts';
import { ResultFill } from '../../../ui/charts/result-fill.tsx';
import { LaunchedBy } from '../../../ui/page/launched-by.tsx';
import classes from './deploy-board.module.css';

interface Props {
  projectId: number;
  board: Board;
}

/** A row for each deploy template, and a column for each version of the build. */
export function DeployBoard({ projectId, board }: Props) {
  const { name, builds, targets } = board;
  return (
    <div className="overflow-auto max-w-full bg-surface border rounded-8">
      <table className={`small ${classes.table}`} aria-label={t('template.board.of', { name })}>
        <thead>
          <tr>
            <th scope="col">{t('template.type.deploy')}</th>
            <th scope="col">{t('template.board.now')}</th>
            {builds.map(({ task_id: id, version }) => (
              <th key={id} scope="col" className="numbers">
                <TaskLink projectId={projectId} id={id} words={wordsOf(version, id)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {targets.map((target) => (
            <TargetRow
              key={target.template_id}
              projectId={projectId}
              board={board}
              target={target}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const wordsOf = (version: string | null, buildId: number): string => version ?? `#${buildId}`;

interface TaskLinkProps {
  projectId: number;
  id: number;
  words: string;
}

const TaskLink = ({ projectId, id, words }: TaskLinkProps) => (
  <Link to="/project/$projectId/tasks/$taskId" params={{ projectId, taskId: id }}>
    {words}
  </Link>
);

interface RowProps extends Props {
  target: DeployTarget;
}

function TargetRow({ projectId, board, target }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <TemplateLink
          projectId={projectId}
          templateId={target.template_id}
          name={target.name}
          className="block break"
        />
        {target.environment !== null && (
          <span className="block soft break">{target.environment}</span>
        )}
      </th>
      <td>
        <Current projectId={projectId} board={board} target={target} />
      </td>
      {board.builds.map(({ task_id: id, version }) => (
        <td key={id} data-current={target.current?.build_task_id === id || undefined}>
          <Attempt
            projectId={projectId}
            target={target}
            buildId={id}
            version={wordsOf(version, id)}
          />
        </td>
      ))}
    </tr>
  );
}

/** The deployed version, since when it is, and who deployed it. */
function Current({ projectId, board, target: { current } }: RowProps) {
  if (!current) return <span className="soft">{t('template.board.never')}</span>;
  const { build_task_id: buildId, task_id: id, since, user_name: user, launcher } = current;
  const version = board.builds.find((build) => build.task_id === buildId)?.version ?? null;
  return (
    <>
      <span className="weight-600 numbers">
        <TaskLink projectId={projectId} id={id} words={wordsOf(version, buildId)} />
      </span>
      <span className="flex wrap gap-2-8 soft">
        <span>
          <TimeAgo time={since} />
        </span>
        <LaunchedBy projectId={projectId} user={user} launcher={launcher} />
      </span>
    </>
  );
}

interface AttemptProps {
  projectId: number;
  target: DeployTarget;
  buildId: number;
  version: string;
}

/** The newest deploy of a build by a template. */
function Attempt({ projectId, target, buildId, version }: AttemptProps) {
  const now = useNow(false);
  const attempt = target.attempts.find((one) => one.build_task_id === buildId);
  if (!attempt) return '—';
  const isCurrent = target.current?.build_task_id === buildId;
  const status = t(`task.status.${attempt.status}`);
  return (
    <Link
      to="/project/$projectId/tasks/$taskId"
      params={{ projectId, taskId: attempt.task_id }}
      className={`row gap-6 no-underline selectable rounded-4 ${classes.attempt}`}
      aria-label={[
        `${target.name} ${version}`,
        status,
        ...(isCurrent ? [t('template.board.now')] : []),
      ].join(', ')}
      title={`#${attempt.task_id} · ${status}`}
    >
      <ResultFill result={barResultOf(attempt.status)} className={classes.mark} />
      {relativeTime(attempt.end ?? attempt.created, now, timeTag())}
    </Link>
  );
}
