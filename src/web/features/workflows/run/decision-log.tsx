import { useQuery } from '@tanstack/react-query';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t, timeTag } from '../../../lib/i18n.ts';
import { clockTime, exactTime } from '../../../lib/time.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { decisionWords } from '../run-words.ts';
import { workflowQueries } from '../workflows.queries.ts';

export function DecisionLog({ projectId, runId }: { projectId: number; runId: number }) {
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
