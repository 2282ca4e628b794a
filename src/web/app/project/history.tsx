import { Button } from '@mantine/core';
import { shownDays } from '#shared/api/stats.ts';
import { Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { NextRunsCard } from '../../features/schedules/next-runs-card.tsx';
import type { Picked } from '../../lib/day-figures.ts';
import { FailingHostsCard, FailingTemplatesCard } from '../../features/stats/failing-cards.tsx';
import type { DayRange } from '../../features/stats/range-choice.tsx';
import { Rankings } from '../../features/stats/rankings.tsx';
import { RateCard } from '../../features/stats/rate-card.tsx';
import { RunsCard } from '../../features/stats/runs-card.tsx';
import { SlowestCard } from '../../features/stats/slowest-card.tsx';
import { statsQueries } from '../../features/stats/stats.queries.ts';
import { ActiveNowCard } from '../../features/tasks/lists/active-now-card.tsx';
import { useHasTasks } from '../../features/projects/use-has-tasks.ts';
import { ProjectHistory } from '../../features/tasks/lists/project-history.tsx';
import { templateQueries } from '../../features/templates/templates.queries.ts';
import { taskQueries } from '../../features/tasks/tasks.queries.ts';
import { t } from '../../lib/i18n.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { AfterHeading, Page } from '../../ui/page/page.tsx';
import { useTrail } from '../address/list-address.ts';
import { useAccess } from '../session/access.ts';
import { DashboardTabs } from './dashboard-tabs.tsx';
import classes from './history.module.css';

const WaitingOfProject = lazyExport(
  () => import('../../features/tasks/overview/waiting-of-project.tsx'),
  'WaitingOfProject',
);

export function History() {
  const { projectId } = useParams({ from: '/app/project/$projectId/history' });
  if (useHasTasks(projectId)) return <HistoryPage projectId={projectId} />;
  return <Navigate to="/project/$projectId/activity" params={{ projectId }} replace />;
}

function HistoryPage({ projectId }: { projectId: number }) {
  const from = '/app/project/$projectId/history' as const;
  const { status, template, user, from: first, to, q, days } = useSearch({ from });
  const filter = { status, template, user, from: first, to, q };
  const navigate = useNavigate({ from: '/project/$projectId/history' });
  const may = useAccess(projectId);
  return (
    <Page title={t('dashboard.title')} tabs={<DashboardTabs projectId={projectId} />}>
      <AfterHeading>
        <Suspense>
          <WaitingOfProject projectId={projectId} />
        </Suspense>
        <Overview key={projectId} projectId={projectId} picked={filter} range={days ?? shownDays} />
        <ProjectHistory
          projectId={projectId}
          filter={filter}
          onFilter={(wanted) =>
            void navigate({
              search: { ...wanted, days },
              // Typing must not add an entry to the browser's history for each letter.
              replace: wanted.q !== filter.q,
              resetScroll: false,
            })
          }
          {...useTrail()}
          may={may}
          emptyAction={<FirstRun projectId={projectId} />}
        />
      </AfterHeading>
    </Page>
  );
}

/** Leads to the templates, where a project without any makes its first one. */
function FirstRun({ projectId }: { projectId: number }) {
  const { data: templates } = useQuery(templateQueries.list(projectId));
  return (
    <Button
      renderRoot={(props) => (
        <Link to="/project/$projectId/templates" params={{ projectId }} {...props} />
      )}
    >
      {templates?.length === 0 ? t('dashboard.first_template') : t('dashboard.run_template')}
    </Button>
  );
}

interface OverviewProps {
  projectId: number;
  picked: Picked;
  range: DayRange;
}

function Overview({ projectId, picked, range }: OverviewProps) {
  const { data, error, refetch } = useQuery(statsQueries.ofProject(projectId, range));
  const { data: newest } = useQuery(taskQueries.page(projectId, {}));
  if (newest?.items.length === 0) return null;
  const isFailed = error && !data;
  return (
    <section style={{ paddingTop: 8 }} aria-label={t('stats.overview')}>
      <div className={`grid gap-12 ${classes.row}`}>
        {isFailed ? (
          <QueryFailure error={error} refetch={refetch} />
        ) : (
          <>
            <RunsCard stats={data} range={range} picked={picked} />
            <RateCard stats={data} />
          </>
        )}
        <ActiveNowCard projectId={projectId} />
      </div>
      <Rankings
        render={(limit) => (
          <>
            {!isFailed && (
              <>
                <FailingTemplatesCard projectId={projectId} stats={data} limit={limit} />
                <FailingHostsCard projectId={projectId} stats={data} limit={limit} />
                <SlowestCard projectId={projectId} stats={data} limit={limit} />
              </>
            )}
            <NextRunsCard projectId={projectId} limit={limit} />
          </>
        )}
      />
    </section>
  );
}
