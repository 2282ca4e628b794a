import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  IconArrowMoveRight,
  IconCalendarClock,
  IconCloudOff,
  IconCloudQuestion,
  IconCopyPlus,
  IconDownload,
  IconEye,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconQuestionMark,
  IconReplace,
  IconTrash,
  IconUnlink,
} from '@tabler/icons-react';
import {
  type PlanAction,
  planActions,
  type PlanChange,
  type PlanCounts,
} from '#shared/api/task-plan.ts';
import type { Task } from '#shared/api/tasks.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { numberText, t } from '../../../lib/i18n.ts';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { SearchBox } from '../../../ui/lists/search-box.tsx';
import { usePlace, WindowedTable } from '../../../ui/lists/windowed-table.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';
import { hasWords } from '../results/outcomes.ts';
import { RunNote, RunSkeleton } from '../results/run-tabs.tsx';
import { taskQueries } from '../tasks.queries.ts';
import { planWords } from './plan-words.ts';
import classes from '../results/run-view.module.css';
import planTableClasses from './plan-table.module.css';
import filterClasses from '../filter-buttons.module.css';

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
        <RunNote>{t(all.length > 0 ? 'common.nothing_found' : emptyWords(task.plan))}</RunNote>
      )}
      {plan.data?.is_complete === false && (
        <RunNote>{t('plan.incomplete', { shown: all.length })}</RunNote>
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

function PlanTable({ changes }: { changes: PlanChange[] }) {
  const isNarrow = useIsNarrow();
  const place = usePlace();
  return (
    <WindowedTable
      label={t('plan.label')}
      rows={changes}
      rowKey={({ kind, address, action }) => `${kind} ${action} ${address}`}
      rowHeight={isNarrow ? 62 : 38}
      columns={isNarrow ? 'minmax(0, 1fr)' : '130px minmax(200px, 3fr) minmax(160px, 2fr)'}
      head={isNarrow ? null : <Heads />}
      renderRow={(change) =>
        isNarrow ? <NarrowRow change={change} /> : <WideRow change={change} />
      }
      place={place}
    />
  );
}

function Heads() {
  return (
    <>
      <th scope="col">{t('plan.action')}</th>
      <th scope="col">{t('plan.resource')}</th>
      <th scope="col">{t('plan.changes')}</th>
    </>
  );
}

interface RowProps {
  change: PlanChange;
}

function WideRow({ change }: RowProps) {
  return (
    <>
      <td>
        <ActionName action={change.action} />
      </td>
      <td className={`row gap-10 min-w-0 ${planTableClasses.resource}`}>
        <Address change={change} />
      </td>
      <td className="min-w-0 smaller soft cut">
        <About change={change} />
      </td>
    </>
  );
}

const NarrowRow = ({ change }: RowProps) => (
  <td className="grid gap-2 min-w-0">
    <span className={`row gap-10 min-w-0 ${planTableClasses.resource}`}>
      <ActionName action={change.action} />
      <Address change={change} />
    </span>
    <span className="min-w-0 smaller soft cut">
      <About change={change} />
    </span>
  </td>
);

function Address({ change: { kind, address, provider, moved_from: from, ...rest } }: RowProps) {
  const more = [
    ...(kind ? [t(`plan.kinds.${kind}`)] : []),
    ...(from === null ? [] : [t('plan.moved_from', { address: from })]),
    ...(rest.is_imported ? [t('plan.imported')] : []),
  ].join(', ');
  return (
    <>
      <code className="cut" title={`${address}\n${provider}`}>
        {address}
      </code>
      {more && (
        <span className="min-w-0 smaller soft cut" style={{ flex: '0 10 auto' }} title={more}>
          {more}
        </span>
      )}
    </>
  );
}

/** The reason for a replacement, the changed attributes, and Terraform's reason for the action. */
function About({ change: { attributes, forcing, reason } }: RowProps) {
  const because = forcing.length > 0 && t('plan.because_of', { names: forcing.join(', ') });
  const others = attributes.filter((name) => !forcing.includes(name)).join(', ');
  const words = [because, others].filter(Boolean).join('; ');
  // For example `delete_because_no_resource_config`, which Terraform also reports for what it only
  // forgets.
  const why = reason?.replace(/^[a-z]+_(?=because_)/, '').replaceAll('_', ' ');
  const shown = words || why || '';
  return <span title={[shown, reason].filter(Boolean).join('\n')}>{shown}</span>;
}

const icons = {
  delete: IconTrash,
  drift_delete: IconCloudOff,
  replace: IconReplace,
  forget_create: IconCopyPlus,
  create: IconPlus,
  update: IconPencil,
  drift_update: IconCloudQuestion,
  invoke: IconPlayerPlay,
  read: IconEye,
  forget: IconUnlink,
  import: IconDownload,
  move: IconArrowMoveRight,
  defer: IconCalendarClock,
  other: IconQuestionMark,
} satisfies Record<PlanAction, unknown>;

const destroys = 'color-danger weight-650';
const colors: Partial<Record<PlanAction, string>> = {
  delete: destroys,
  drift_delete: destroys,
  replace: destroys,
  create: 'color-success',
  forget_create: 'color-success',
  update: 'color-warning',
  drift_update: 'color-warning',
};

/** An action with its icon; destructive ones stand out by weight and colour. */
function ActionName({ action }: { action: PlanAction }) {
  const Icon = icons[action];
  return (
    <span
      className={`inline-flex items-center gap-6 flex-none small nowrap ${colors[action] ?? ''}`}
      style={{ verticalAlign: 'middle' }}
    >
      <Icon size={15} aria-hidden="true" />
      {t(`plan.actions.${action}`)}
    </span>
  );
}

interface FilterProps {
  changes: PlanChange[];
  value: PlanAction | null;
  onChange: (action: PlanAction | null) => void;
}

/** Filters the changes by their action. */
function ActionFilter({ changes, value, onChange }: FilterProps) {
  const counts = new Map<PlanAction, number>();
  for (const { action } of changes) counts.set(action, (counts.get(action) ?? 0) + 1);
  return (
    <fieldset className={`flex wrap gap-6 scroll-row ${filterClasses.filter}`}>
      <legend className="visually-hidden">{t('run.filter')}</legend>
      <button type="button" aria-pressed={value === null} onClick={() => onChange(null)}>
        {t('run.all')} <b>{numberText(changes.length)}</b>
      </button>
      {planActions
        .filter((action) => counts.has(action))
        .map((action) => (
          <button
            key={action}
            type="button"
            aria-pressed={value === action}
            onClick={() => onChange(value === action ? null : action)}
          >
            <ActionName action={action} /> <b>{numberText(counts.get(action) ?? 0)}</b>
          </button>
        ))}
    </fieldset>
  );
}
