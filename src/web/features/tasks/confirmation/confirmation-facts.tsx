// What a task that waits for a confirmation will do, who launched it, and until when it waits.

import type { WaitingTask } from '#shared/api/overview.ts';
import { t } from '../../../lib/i18n.ts';
import { StartFacts } from '../../../resources/decision-facts.tsx';
import { DecisionFact } from '../../../ui/page/decision-card.tsx';
import { answersText, hostNames } from '../launch-texts.ts';

export type ConfirmableTask = Omit<
  WaitingTask,
  'project_name' | 'template_id' | 'template_name' | 'template_type' | 'status' | 'start' | 'end'
>;

interface Props {
  task: ConfirmableTask;
}

export function ConfirmationFacts({ task }: Props) {
  const { launched_with: used, only_hosts: only } = task;
  return (
    <>
      {task.version !== null && (
        <DecisionFact name={t('task.column.version')}>{task.version}</DecisionFact>
      )}
      <Code task={task} />
      {used.inventory && (
        <DecisionFact name={t('template.column.inventory')}>
          {used.inventory.name ?? t('task.fact.deleted')}
          {task.inventory_hosts !== null && (
            <span className="soft">
              {' · '}
              {t('inventory.preview.hosts', { count: task.inventory_hosts })}
            </span>
          )}
        </DecisionFact>
      )}
      {used.limit && (
        <DecisionFact name={t('new_task.limit')}>
          <code>{used.limit}</code>
        </DecisionFact>
      )}
      {only && <DecisionFact name={t('task.fact.only_hosts')}>{hostNames(only)}</DecisionFact>}
      <Answers task={task} />
      <StartFacts
        projectId={task.project_id}
        started={task}
        message={task.message}
        until={task.confirm_until}
      />
    </>
  );
}

/** The commit, or the branch while the commit is unknown. */
function Code({ task: { commit_hash: hash, commit_message: message, launched_with } }: Props) {
  if (hash !== null) {
    return (
      <DecisionFact name={t('task.fact.commit')}>
        <code title={hash}>{hash.slice(0, 8)}</code> {message}
      </DecisionFact>
    );
  }
  if (!launched_with.branch) return null;
  return (
    <DecisionFact name={t('new_task.branch')}>
      <code>{launched_with.branch}</code>
    </DecisionFact>
  );
}

function Answers({ task }: Props) {
  const open = answersText(task.environment);
  const secret = task.secret_answers.map((name) => `${name}=•••`).join(' ');
  if (!open && !secret) return null;
  return (
    <DecisionFact name={t('launch.answers')} isLong>
      <code>{[open, secret].filter(Boolean).join(' ')}</code>
    </DecisionFact>
  );
}
