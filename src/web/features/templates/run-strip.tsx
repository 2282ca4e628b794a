import { useQuery } from '@tanstack/react-query';
import { type LastRuns, MAX_LAST_RUNS } from '#shared/api/stats.ts';
import type { Template } from '#shared/api/templates.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import { languageTag, t, timeTag } from '../../lib/i18n.ts';
import { exactTime, span } from '../../lib/time.ts';
import { type Bar, BarStrip } from '../../ui/charts/bar-strip.tsx';
import type { BarResult } from '../../ui/charts/bar-shapes.ts';
import { lastRunsQuery } from './last-runs.queries.ts';

interface Props {
  template: Pick<Template, 'id' | 'project_id' | 'last_task'>;
  height?: number;
}

// A short run must be seen, and clicked.
const MIN_SHARE = 0.14;

/** The last runs of a template: the height of a bar is its duration. */
export function RunStrip({ template, height = 26 }: Props) {
  const { data } = useQuery(lastRunsQuery(template));
  if (data === undefined) return <span className="block" style={{ height }} />;
  if (data === null) return '—';
  if (data.runs.length === 0) return '—';
  return (
    <BarStrip
      label={t('template.last_runs')}
      bars={runBars(data, template.project_id)}
      height={height}
      room={MAX_LAST_RUNS}
      withTips
    />
  );
}

function runBars({ runs }: LastRuns, projectId: number): Bar[] {
  const longest = Math.max(1, ...runs.map(({ duration_s: length }) => length ?? 0));
  return runs.map(({ id, status, created, duration_s: length }) => ({
    key: id,
    label: [
      `#${id} ${t(`task.status.${status}`)}`,
      ...(length === null ? [] : [span(length, languageTag)]),
      exactTime(created, timeTag()),
    ].join(' · '),
    link: {
      to: '/project/$projectId/tasks/$taskId',
      params: { projectId, taskId: id },
    },
    parts: [
      {
        result: resultOf[status] ?? 'running',
        share: Math.max(MIN_SHARE, (length ?? 0) / longest),
      },
    ],
  }));
}

const resultOf: Partial<Record<TaskStatus, BarResult>> = {
  success: 'success',
  error: 'error',
  stopped: 'stopped',
};
