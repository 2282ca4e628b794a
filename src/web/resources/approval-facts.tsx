// What an approval of a workflow leads to, who launched the run, and until when it waits.

import type { Launcher } from '#shared/api/launcher.ts';
import { t } from '../lib/i18n.ts';
import { TimeAgo, TimeAhead } from '../lib/time-text.tsx';
import { DecisionFact } from '../ui/page/decision-card.tsx';
import { LaunchedBy } from '../ui/page/launched-by.tsx';

interface Props {
  projectId: number;
  run: { created: string; user_name: string | null; launcher?: Launcher | null };
  /** The message of the run, where the page shows it nowhere else. */
  message?: string;
  /** The names of the nodes that follow. */
  next: string[];
  /** Null: it never expires. */
  until: string | null;
}

export function ApprovalFacts({ projectId, run, message, next, until }: Props) {
  return (
    <>
      {next.length > 0 && (
        <DecisionFact name={t('workflow.approval.next')} isLong>
          {next.join(', ')}
        </DecisionFact>
      )}
      {message && <DecisionFact name={t('task.fact.message')}>{message}</DecisionFact>}
      <DecisionFact name={t('task.fact.user')}>
        <LaunchedBy projectId={projectId} user={run.user_name} launcher={run.launcher ?? null} />{' '}
        <span className="soft">
          <TimeAgo time={run.created} />
        </span>
      </DecisionFact>
      {until && (
        <DecisionFact name={t('task.confirmation.until')}>
          <TimeAhead time={until} />
        </DecisionFact>
      )}
    </>
  );
}
