import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type PlanAction,
  type PlanChange,
  type PlanCounts,
  planActions,
} from '#shared/api/task-plan.ts';
import type { Task } from '#shared/api/tasks.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { SearchBox } from '../../../ui/lists/search-box.tsx';
import { hasWords } from '../results/outcomes.ts';
import { RunSkeleton } from '../results/run-skeleton.tsx';
import classes from '../results/run-view.module.css';
import { taskQueries } from '../tasks.queries.ts';
import { ActionFilter } from './plan-action.tsx';
import { PlanTable } from './plan-table.tsx';
import { planWords } from './plan-words.ts';

/** The changes of a plan, destructive ones first. */
export function PlanView({ task }: { task: Task }) {
  const plan = useQuery(taskQueries.plan(task.project_id, task.id));
  const [action, setAction] = useState<PlanAction | null>(null);
  const [search, setSearch] = useState('');
  const all = plan.data?.changes;
  const shown = useMemo(() => shownOf(all ?? [], action, search), [all, action, search]);
  // The card of a waiting confirmation has this summary already.
  const isSummaryAbove = task.status === 'waiting_confirmation';
  if (plan.error && !all) {
    return <Failure message={errorWords(plan.error)} onRetry={() => void plan.refetch()} />;
  }
  if (!all) return <RunSkeleton />;
  return (
    <section className="column flex-1" style={{ minHeight: 320 }} aria-label={t('plan.label')}>
      <div className={`row wrap gap-8-16 flex-none gutter py-8 border-bottom ${classes.bar}`}>
        {task.plan && !isSummaryAbove && <strong>{planWords(task.plan)}</strong>}
        {all.length > 0 && (
          <>
            <ActionFilter changes={all} value={action} onChange={setAction} />
            <SearchBox
              className={`ml-auto ${classes.search}`}
              label={t('plan.search')}
              value={search}
              onSearch={setSearch}
            />
          </>
        )}
      </div>
      {plan.data?.is_whole === false && (
        <p
          className="flex-none break border-bottom"
          style={{ padding: '10px 18px', fontWeight: 560 }}
        >
          {t('plan.partial')}
        </p>
      )}
      {shown.length > 0 ? (
        <PlanTable changes={shown} />
      ) : (
        <p className="gutter soft" style={{ paddingBlock: 20 }}>
          {t(all.length > 0 ? 'common.nothing_found' : emptyWords(task.plan))}
        </p>
      )}
      {plan.data?.is_complete === false && (
        <p className="gutter soft" style={{ paddingBlock: 20 }}>
          {t('plan.incomplete', { shown: all.length })}
        </p>
      )}
    </section>
  );
}

/** If the plan counts more than it lists, the runner could not read the changes. */
const emptyWords = (counts: PlanCounts | null) =>
  counts?.other ? 'plan.unlisted' : 'plan.nothing';

/** Sorted by action, then in the order of the plan. */
function shownOf(all: PlanChange[], action: PlanAction | null, search: string): PlanChange[] {
  const rank = (change: PlanChange): number => planActions.indexOf(change.action);
  return all
    .filter((one) => action === null || one.action === action)
    .filter((one) => hasWords(`${one.address} ${one.moved_from ?? ''} ${one.provider}`, search))
    .toSorted((one, other) => rank(one) - rank(other));
}
