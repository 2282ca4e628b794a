import type { ReactNode } from 'react';
import { VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import { IconPencil, IconSitemap, IconTrash } from '@tabler/icons-react';
import type { ListedWorkflow } from '#shared/api/workflows.ts';
import { t } from '../../../lib/i18n.ts';
import { TimeAgo } from '../../../lib/time-text.tsx';
import type { RowChoice } from '../../../ui/buttons/row-choices.tsx';
import { RowMenu } from '../../../ui/buttons/row-menu.tsx';
import { RowActions } from '../../../ui/lists/row-actions.tsx';
import { LaunchButton } from '../launch-button.tsx';
import { RunLink } from '../run-link.tsx';
import { RunChip } from '../run-status.tsx';
import { WorkflowLink } from '../../../resources/links.tsx';
import { urgencyOf } from '../../../resources/urgency.ts';
import { type May, mayOn } from '../../../lib/roles/may.ts';

export interface WorkflowRowProps {
  may: May;
  /** A mark beside the name of a workflow. */
  renderMark: (workflowId: number) => ReactNode;
  onLaunch: (id: number) => void;
  onEdit: (id: number) => void;
}

interface Context extends WorkflowRowProps {
  onDelete: (workflow: ListedWorkflow) => void;
  /** Whether the status is below the name, because its column does not fit. */
  isNarrow: boolean;
}

export const workflowCells = (context: Context) => ({
  name: {
    cell: (workflow: ListedWorkflow) => <MarkedName {...context} workflow={workflow} />,
    sortBy: ({ name }: ListedWorkflow) => name,
  },
  status: {
    cell: (workflow: ListedWorkflow) => statusCell(workflow),
    sortBy: urgencyOfRun,
  },
  last_task: {
    cell: ({ last_run: last }: ListedWorkflow) => (
      <>
        {lastRunCell(last)}
        {starterOf(last) && (
          <span className="soft"> {t('template.by', { name: starterOf(last) })}</span>
        )}
      </>
    ),
    sortBy: ({ last_run: last }: ListedWorkflow) => last?.created ?? '',
  },
  type: {
    cell: () => t('workflow.one'),
    sortBy: () => t('workflow.one'),
  },
  actions: { cell: (workflow: ListedWorkflow) => <Actions {...context} workflow={workflow} /> },
});

const starterOf = (last: ListedWorkflow['last_run']): string | null =>
  last?.launcher?.name ?? last?.user_name ?? null;

export const urgencyOfRun = ({ last_run: last }: ListedWorkflow): number => urgencyOf(last?.status);

interface RowProps extends Context {
  workflow: ListedWorkflow;
}

/**
 * The name in the list of templates: with the icon of workflows, where a template has its toggle.
 */
function MarkedName({ workflow, isNarrow, renderMark }: RowProps) {
  const { description } = workflow;
  return (
    <span className="row gap-8 min-w-0">
      {/* As wide as the toggle of a template. */}
      <span
        className="inline-flex center flex-none color-accent"
        style={{ width: 26, height: 26 }}
        title={t('workflow.one')}
      >
        <IconSitemap size={16} aria-hidden="true" />
        <VisuallyHidden>{t('workflow.one')}</VisuallyHidden>
      </span>
      <span className={`min-w-0 ${isNarrow ? 'column gap-2' : 'flex baseline gap-10'}`}>
        <NameLink workflow={workflow} className="weight-550 color-text cut" />
        {renderMark(workflow.id)}
        {isNarrow ? (
          <span className="smaller">{statusCell(workflow)}</span>
        ) : (
          <span className="smaller soft cut" style={{ flex: '1 1 0' }} title={description}>
            {description}
          </span>
        )}
      </span>
    </span>
  );
}

interface LinkProps {
  workflow: ListedWorkflow;
  className?: string;
}

export const NameLink = ({ workflow, className = 'max-w-full cut' }: LinkProps) => (
  <WorkflowLink
    projectId={workflow.project_id}
    workflowId={workflow.id}
    name={workflow.name}
    className={className}
  />
);

export function statusCell({ last_run: last }: ListedWorkflow) {
  if (!last) return <span className="soft">{t('workflow.not_run')}</span>;
  return <RunChip status={last.status} waitsFor={last.waits_for} />;
}

export function lastRunCell(last: ListedWorkflow['last_run']) {
  if (!last) return '—';
  return (
    <>
      <RunLink projectId={last.project_id} id={last.id} />{' '}
      <TimeAgo time={last.end ?? last.created} />
    </>
  );
}

export function Actions(props: RowProps) {
  const { workflow, onLaunch } = props;
  const may = mayOn(props.may, 'workflow', workflow.id);
  return (
    <RowActions>
      <LaunchButton name={workflow.name} may={may} onClick={() => onLaunch(workflow.id)} quiet />
      {may('workflow.edit') && (
        <RowMenu
          label={t('template.more_label', { name: workflow.name })}
          items={() => choicesOf(props)}
        />
      )}
    </RowActions>
  );
}

const choicesOf = ({ workflow, onEdit, onDelete }: RowProps): RowChoice[] => [
  {
    label: t('common.edit'),
    icon: <IconPencil size={16} />,
    onClick: () => onEdit(workflow.id),
  },
  {
    label: t('common.delete'),
    icon: <IconTrash size={16} />,
    onClick: () => onDelete(workflow),
    isDangerous: true,
  },
];
