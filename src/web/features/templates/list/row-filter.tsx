import { t } from '../../../lib/i18n.ts';
import { ChoiceFilter } from '../../../ui/forms/choice-filter.tsx';
import type { ListFilter } from '../../../ui/lists/list.tsx';
import type { ListedRow } from './listed-row.tsx';
import {
  hasStatus,
  type RowKind,
  rowKinds,
  type TemplateStatus,
  templateStatuses,
} from './template-status.ts';

interface Chosen {
  status: TemplateStatus | undefined;
  kind: RowKind | undefined;
}

export interface FilterAddress extends Chosen {
  onFilter: (chosen: Partial<Chosen>) => void;
}

/** Filters rows by kind, and by the status of their last task or run. */
export function useRowFilter(
  { status, kind, onFilter }: FilterAddress,
  hasBoth: boolean,
): ListFilter<ListedRow> {
  const labelOf = (value: TemplateStatus) => {
    if (value === 'unfinished') return t('history.unfinished');
    return value === 'never_run' ? t('template.never_run') : t(`task.status.${value}`);
  };
  return {
    control: (
      <>
        <ChoiceFilter
          label={t('template.column.status')}
          options={templateStatuses.map((value) => ({ value, label: labelOf(value) }))}
          value={status}
          onChoose={(chosen) =>
            onFilter({ status: templateStatuses.find((one) => one === chosen) })
          }
        />
        {(hasBoth || kind !== undefined) && (
          <ChoiceFilter
            label={t('template.kind')}
            options={rowKinds.map((value) => ({ value, label: t(`workflow.type.${value}`) }))}
            value={kind}
            onChoose={(chosen) => onFilter({ kind: rowKinds.find((one) => one === chosen) })}
          />
        )}
      </>
    ),
    isSet: status !== undefined || kind !== undefined,
    keeps: (row) =>
      (kind ?? row.kind) === row.kind && (!status || hasStatus(status, statusOf(row))),
    onClear: () => onFilter({ status: undefined, kind: undefined }),
  };
}

/**
 * The status of the last task or run; undefined if there is none. An approval counts as waiting.
 */
function statusOf(row: ListedRow): string | undefined {
  if (row.kind === 'template') return row.template.last_task?.status;
  const { last_run: last } = row.workflow;
  return last?.status === 'running' && last.waits_for.length > 0
    ? 'waiting_confirmation'
    : last?.status;
}
