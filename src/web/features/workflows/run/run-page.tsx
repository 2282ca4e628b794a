import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, Suspense } from 'react';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import { lazyExport } from '../../../ui/lazy-export.ts';
import { mayOn } from '../../../lib/roles/may.ts';
import { t, timeTag } from '../../../lib/i18n.ts';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { Fact, Facts } from '../../../ui/page/facts.tsx';
import { LaunchedBy } from '../../../ui/page/launched-by.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { clockTime, exactTime } from '../../../lib/time.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { RunLink } from '../run-link.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';
import { RunChip } from '../run-status.tsx';
import { workflowQueries } from '../workflows.queries.ts';
import { decisionWords } from '../run-words.ts';
import type { ApprovalParts } from './approval-box.tsx';
import { RunActions } from './run-actions.tsx';
import { RunGraph, type RunGraphParts } from './run-graph.tsx';
import { QueryPage } from '../../../resources/query-page.tsx';

// Most runs do not wait for an approval.
const ApprovalBox = lazyExport(() => import('./approval-box.tsx'), 'ApprovalBox');

export interface RunPageProps extends ApprovalParts, RunGraphParts {
  projectId: number;
  runId: number;
  /** Renders what a task waits for, if it does. */
  renderConfirmation: (taskId: number) => ReactNode;
  onRun: (runId: number) => void;
  onDeleted: (workflowId: number) => void;
}

export function RunPage(props: RunPageProps) {
  const { projectId, runId } = props;
  const result = useQuery(workflowQueries.run(projectId, runId));
  const { data } = result;
  const title = t('workflow.run.title', { id: runId });
  const may = mayOn(props.may, 'workflow', data?.workflow_id ?? 0);
  return (
    <QueryPage
      title={data ? `${data.name} › ${title}` : title}
      above={<LinksAbove projectId={projectId} run={data} />}
      result={result}
      actions={data && <RunActions {...props} run={data} may={may} />}
    >
      {data &&
        data.graph.nodes.map(
          (node) =>
            node.type === 'approval' &&
            data.status === 'running' &&
            data.nodes.some(({ key, state }) => key === node.key && state === 'active') && (
              <Suspense key={node.key}>
                <ApprovalBox {...props} run={data} node={node} />
              </Suspense>
            ),
        )}
      {data?.nodes.map(
        ({ key, state, task_id: taskId }) =>
          state === 'active' &&
          taskId !== null && <Fragment key={key}>{props.renderConfirmation(taskId)}</Fragment>,
      )}
      <RunFacts projectId={projectId} run={data} />
      {data && <RunGraph {...props} run={data} may={may} />}
      <Section title={t('workflow.decisions')} text={t('workflow.decisions_text')}>
        <DecisionLog projectId={projectId} runId={runId} />
      </Section>
    </QueryPage>
  );
}

interface PartProps {
  projectId: number;
  run: WorkflowRun | undefined;
}

function LinksAbove({ projectId, run }: PartProps) {
  return (
    <>
      <Link to="/project/$projectId/workflows" params={{ projectId }}>
        {t('workflow.list')}
      </Link>
      {run && (
        <>
          <span className="soft" aria-hidden="true">
            {' › '}
          </span>
          <Link
            to="/project/$projectId/workflows/$workflowId"
            params={{ projectId, workflowId: run.workflow_id }}
          >
            {run.name}
          </Link>
        </>
      )}
    </>
  );
}

function RunFacts({ projectId, run }: PartProps) {
  // Two facts side by side would cut the longest status.
  const isNarrow = useIsNarrow();
  return (
    <Facts isLoading={!run}>
      <Fact name={t('task.column.status')} wide={isNarrow}>
        {run && (
          <output>
            <RunChip status={run.status} waitsFor={run.waits_for} />
          </output>
        )}
      </Fact>
      <Fact name={t('task.fact.user')}>
        {run && <LaunchedBy projectId={projectId} user={run.user_name} launcher={run.launcher} />}
      </Fact>
      <Fact name={t('task.fact.start')}>{run && <TimeAgo time={run.created} />}</Fact>
      <Fact name={t('task.fact.duration')}>
        {run && <Duration start={run.created} end={run.end} />}
      </Fact>
      {run?.message && <Fact name={t('task.fact.message')}>{run.message}</Fact>}
      {run && run.rerun_of !== null && (
        <Fact name={t('task.fact.rerun_of')}>
          <RunLink projectId={projectId} id={run.rerun_of} />
        </Fact>
      )}
      {run && run.parent_run_id !== null && (
        <Fact name={t('workflow.run.part_of')}>
          <RunLink projectId={projectId} id={run.parent_run_id} />
        </Fact>
      )}
    </Facts>
  );
}

function DecisionLog({ projectId, runId }: { projectId: number; runId: number }) {
  const { data, error, refetch } = useQuery(workflowQueries.decisions(projectId, runId));
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (!data) return <Skeleton />;
  return (
    <ol aria-label={t('workflow.decisions')}>
      {data.map((decision) => (
        <li
          key={decision.id}
          className="grid gap-12 py-4"
          style={{ gridTemplateColumns: 'auto 1fr' }}
        >
          <time
            className="numbers soft"
            dateTime={decision.time}
            title={exactTime(decision.time, timeTag())}
          >
            {clockTime(decision.time, timeTag())}
          </time>
          <span className="break">{decisionWords(decision)}</span>
        </li>
      ))}
    </ol>
  );
}
