// What an approval leads to, who started what waits for a decision, and until when it waits.

import type { Launcher } from '#shared/api/launcher.ts';
import { t } from '../lib/i18n.ts';
import { DecisionFact } from '../ui/page/decision-card.tsx';
import { TimeAgo, TimeAhead } from '../lib/time-text.tsx';
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
      <StartFacts projectId={projectId} started={run} message={message} until={until} />
    </>
  );
}

interface StartProps {
  projectId: number;
  started: { created: string; user_name: string | null; launcher?: Launcher | null };
  /** Empty, or shown elsewhere on the page: none. */
  message?: string | undefined;
  /** Null: it never expires. */
  until: string | null;
}

/** Of what waits for a decision: its message, who started it and when, and until when it waits. */
export function StartFacts({ projectId, started, message, until }: StartProps) {
  const { created, user_name: user, launcher = null } = started;
  return (
    <>
      {message && <DecisionFact name={t('task.fact.message')}>{message}</DecisionFact>}
      <DecisionFact name={t('task.fact.user')}>
        <LaunchedBy projectId={projectId} user={user} launcher={launcher} />{' '}
        <span className="soft">
          <TimeAgo time={created} />
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
