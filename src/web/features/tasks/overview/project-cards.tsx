import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OverviewOfProjects, ProjectOverview } from '#shared/api/overview.ts';
import { t } from '../../../lib/i18n.ts';
import { TimeAgo } from '../../../lib/time-text.tsx';
import { BarStrip } from '../../../ui/charts/bar-strip.tsx';
import { dayBars } from '../../../resources/day-bars.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { useRowLinks } from '../../../ui/lists/use-row-links.ts';
import { Section } from '../../../ui/page/section.tsx';
import { TaskStatusChip } from '../task-status-chip.tsx';
import classes from './overview.module.css';

interface Props {
  data: OverviewOfProjects | undefined;
  renderAvatar: (project: { id: number; name: string }) => ReactNode;
}

/** Each project at a glance: its last task, what runs, failures of today, and two weeks of runs. */
export function ProjectCards({ data, renderAvatar }: Props) {
  const rowLinks = useRowLinks();
  if (data?.projects.length === 0) return null;
  return (
    <Section title={t('overview.projects')}>
      <ul ref={rowLinks} className={`grid gap-12 ${classes.cards}`} aria-busy={!data}>
        {data
          ? data.projects.map((project) => (
              <ProjectCard
                key={project.project_id}
                project={project}
                avatar={renderAvatar({ id: project.project_id, name: project.name })}
              />
            ))
          : [1, 2, 3].map((one) => (
              <li key={one} className={`border rounded-8 ${classes.card}`}>
                <Skeleton width="60%" />
              </li>
            ))}
      </ul>
      {data && data.total > data.projects.length && (
        <p className="soft pt-10">
          {t('overview.more_projects', { shown: data.projects.length, count: data.total })}
        </p>
      )}
    </Section>
  );
}

function ProjectCard({ project, avatar }: { project: ProjectOverview; avatar: ReactNode }) {
  const { project_id: projectId, name, active, days, last_task: task } = project;
  const failed = days.at(-1)?.error ?? 0;
  return (
    <li className={`column gap-8 border rounded-8 ${classes.card}`} data-row-key={projectId}>
      <div className="row gap-10 min-w-0" data-row-name>
        {avatar}
        <Link
          to="/project/$projectId"
          params={{ projectId }}
          className="weight-600 color-text grow break two-lines"
        >
          {name}
        </Link>
      </div>
      <LastTask project={project} />
      <BarStrip
        label={t('overview.two_weeks')}
        height={32}
        withTips
        bars={dayBars(days, (day) => ({
          link: {
            to: '/project/$projectId/history',
            params: { projectId },
            search: { from: day, to: day },
          },
        }))}
      />
      <div className="flex wrap small soft gap-4-16">
        <span>{t('overview.active_count', { count: active })}</span>
        <span className={failed > 0 ? 'weight-600 color-danger' : ''}>
          {t('overview.failed_today', { count: failed })}
        </span>
        {task && (
          <span className="ml-auto">
            <TimeAgo time={task.end ?? task.start ?? task.created} />
          </span>
        )}
      </div>
    </li>
  );
}

function LastTask({
  project: { project_id: projectId, last_task: task },
}: {
  project: ProjectOverview;
}) {
  if (!task) return <p className={`soft ${classes.last}`}>{t('overview.no_task')}</p>;
  return (
    <div className={`row gap-8 min-w-0 ${classes.last}`}>
      <TaskStatusChip task={{ ...task, expected_s: null }} />
      <Link
        to="/project/$projectId/tasks/$taskId"
        params={{ projectId, taskId: task.id }}
        className="grow cut"
        title={task.template_name}
      >
        {task.template_name}
      </Link>
    </div>
  );
}
