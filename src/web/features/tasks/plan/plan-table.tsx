import type { PlanChange } from '#shared/api/task-plan.ts';
import { t } from '../../../lib/i18n.ts';
import { usePlace, WindowedTable } from '../../../ui/lists/windowed-table.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';
import { ActionName } from './plan-action.tsx';
import classes from './plan-table.module.css';

export function PlanTable({ changes }: { changes: PlanChange[] }) {
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
      <td className={`row gap-10 min-w-0 ${classes.resource}`}>
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
    <span className={`row gap-10 min-w-0 ${classes.resource}`}>
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
