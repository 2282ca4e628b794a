// The rows of the list of templates, which also has the workflows of the project.

import type { ReactNode } from 'react';
import type { Template } from '#shared/api/templates.ts';
import type { ListedWorkflow } from '#shared/api/workflows.ts';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { t } from '../../../lib/i18n.ts';
import { ChoiceFilter } from '../../../ui/forms/choice-filter.tsx';
import type { ListFilter } from '../../../ui/lists/list.tsx';
import {
  hasStatus,
  type RowKind,
  rowKinds,
  type TemplateStatus,
  templateStatuses,
} from './template-status.ts';

export type ListedRow =
  | { kind: 'template'; template: Template }
  | { kind: 'workflow'; workflow: ListedWorkflow };

interface Cell {
  cell: (workflow: ListedWorkflow) => ReactNode;
  sortBy?: (workflow: ListedWorkflow) => string | number;
}

/** The cells of workflows by the keys of the columns of templates; missing ones stay empty. */
export type WorkflowCells = Partial<Record<string, Cell>>;

/** The rows of a view; of all views for null. Undefined until both lists are loaded. */
export function rowsOf(
  templates: Template[] | undefined,
  workflows: ListedWorkflow[] | undefined,
  viewId: number | null,
): ListedRow[] | undefined {
  if (!templates || !workflows) return undefined;
  const isShown = ({ view_id: inView }: { view_id: number | null }) =>
    viewId === null || inView === viewId;
  return [
    ...templates.filter(isShown).map((template) => ({ kind: 'template' as const, template })),
    ...workflows.filter(isShown).map((workflow) => ({ kind: 'workflow' as const, workflow })),
  ];
}

export const rowKey = (row: ListedRow): string =>
  row.kind === 'template' ? `template-${row.template.id}` : `workflow-${row.workflow.id}`;

export const idOf = (row: ListedRow): number =>
  row.kind === 'template' ? row.template.id : row.workflow.id;

export const nameOf = (row: ListedRow): string =>
  row.kind === 'template' ? row.template.name : row.workflow.name;

/** The text to search in. */
export function textOf(row: ListedRow): string {
  if (row.kind === 'workflow') return `${row.workflow.name} ${row.workflow.description}`;
  const { name, description, playbook, working_directory: folder } = row.template;
  return `${name} ${description} ${folder}/${playbook}`;
}

export const withWorkflows = (columns: Column<Template>[], cells: WorkflowCells) =>
  columns.map(({ cell, titleOf, sortBy, ...column }): Column<ListedRow> => {
    const other = cells[column.key];
    return {
      ...column,
      cell: (row) =>
        row.kind === 'template' ? cell(row.template) : (other?.cell(row.workflow) ?? null),
      ...(titleOf && {
        titleOf: (row) => (row.kind === 'template' ? titleOf(row.template) : ''),
      }),
      ...(sortBy && {
        sortBy: (row) =>
          row.kind === 'template' ? sortBy(row.template) : (other?.sortBy?.(row.workflow) ?? ''),
      }),
    };
  });

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
