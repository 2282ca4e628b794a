import { Button } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  IconChevronDown,
  IconLayoutNavbar,
  IconPlaylist,
  IconPlus,
  IconSitemap,
} from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyExport } from '../../../ui/lazy-export.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import type { May } from '../../../lib/roles/may.ts';
import { ColumnSettings } from '../../../ui/lists/column-settings.tsx';
import { HeadButton } from '../../../ui/buttons/head-button.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { List, type ListAddress } from '../../../ui/lists/list.tsx';
import type { ListSelection } from '../../../ui/lists/use-selection.ts';
import { AfterHeading, Page } from '../../../ui/page/page.tsx';
import { useColumnChoice } from '../../../ui/lists/use-column-choice.ts';
import type { RowChoice } from '../../../ui/buttons/row-choices.tsx';
import { RowMenu } from '../../../ui/buttons/row-menu.tsx';
import { appQueries } from '../../apps/apps.queries.ts';
import { workflowQueries } from '../../workflows/workflows.queries.ts';
import { RoleNote } from '../role-note.tsx';
import type { TemplateParts } from '../form/template-fields-props.ts';
import { templateQueries } from '../templates.queries.ts';
import { useBulk, BulkBar, BulkFailureDialog } from '../../../resources/bulk-bar.tsx';
import { useDeleteTemplate } from '../use-delete-template.tsx';
import { useResourceNames } from '../use-resource-names.ts';
import {
  type FilterAddress,
  idOf,
  type ListedRow,
  nameOf,
  rowKey,
  rowsOf,
  textOf,
  useRowFilter,
  withWorkflows,
  type WorkflowCells,
} from './listed-row.tsx';
import { narrowest, templateColumns, type TemplateRowProps } from './template-columns.tsx';
import { changedByBulk, templateActions } from './template-bulk.tsx';
import classes from './template-list.module.css';

const FirstSteps = lazyExport(() => import('./first-steps.tsx'), 'FirstSteps');

interface Props extends TemplateRowProps {
  projectId: number;
  viewId: number | null;
  tabs: ReactNode;
  /** Switches to other views of the list. */
  moreActions: ReactNode;
  address: ListAddress & FilterAddress;
  onNew: () => void;
  onNewWorkflow: () => void;
  onEditViews: () => void;
  /** The last tasks of a template; another feature owns them. */
  renderTasks: (templateId: number) => ReactNode;
  /** The cells of workflows; `isNarrow`: the status is below the name. */
  workflowCells: (isNarrow: boolean) => WorkflowCells;
  renderNew: TemplateParts['renderNew'];
  /** Further buttons for the whole list, and the content below it. */
  access: { button: ReactNode; below: ReactNode };
}

const narrow = '(max-width: 591px)';

/** Columns that cannot be hidden. */
const always = ['name', 'status', 'actions'];

export function TemplateList(props: Props) {
  const { projectId, viewId, tabs, address, may, onEditViews, renderTasks } = props;
  const templates = useQuery(templateQueries.list(projectId));
  const workflows = useQuery(workflowQueries.list(projectId));
  const [data, flows] = [templates.data, workflows.data];
  const { open, toggle } = useOpenRows();
  const choice = useColumnChoice('templates', ['app', 'type', 'version', 'execution_environment']);
  const { ref: table, width } = useElementSize();
  const isNarrow = useMediaQuery(narrow, false, { getInitialValueInEffect: false });
  const names = useResourceNames(
    projectId,
    (key) => choice.isShown({ key, from: narrowest[key] }, width) || address.sort.endsWith(key),
  );
  const { data: apps } = useQuery(appQueries.list());
  const deletion = useDeleteTemplate(projectId);
  const bulk = useBulk({ idOf, refresh: changedByBulk });
  const actions = templateActions(projectId, may);
  const selection: ListSelection<ListedRow> = {
    isSelectable: ({ kind }) => kind === 'template',
    nameOf,
    renderBar: (selected) => <BulkBar {...{ bulk, selection: selected, actions }} />,
  };
  const columns = templateColumns({
    ...props,
    names,
    apps,
    open,
    toggle,
    onDelete: deletion.ask,
    isNarrow,
  });
  const optional = columns.filter(({ key }) => !always.includes(key));
  const filter = useRowFilter(address, (flows?.length ?? 0) > 0);
  const error = templates.error ?? workflows.error;
  return (
    <Page
      title={t('template.list')}
      tabs={tabs}
      actions={
        <>
          {props.moreActions}
          {may('view.edit') && (
            <HeadButton
              label={t('view.edit')}
              icon={<IconLayoutNavbar size={18} />}
              onClick={onEditViews}
            />
          )}
          {props.access.button}
          <ColumnSettings columns={optional} choice={choice} width={width} />
          <NewButtons {...props} />
        </>
      }
    >
      <RoleNote may={may} />
      <div ref={table}>
        <AfterHeading>
          <List
            label={t('template.list')}
            rows={rowsOf(data, flows, viewId)}
            rowKey={rowKey}
            columns={withWorkflows(choice.chosenOf(columns), props.workflowCells(isNarrow))}
            failure={error && errorWords(error)}
            onRetry={() => void Promise.all([templates.refetch(), workflows.refetch()])}
            textOf={textOf}
            address={address}
            filter={filter}
            pageSize={50}
            {...(actions.length > 0 && { selection })}
            empty={<NoTemplates {...props} isWhole={data?.length === 0} />}
            renderBelow={(row) =>
              row.kind === 'template' &&
              open.has(row.template.id) && (
                <div className={`bg-sunken border rounded-8 ${classes.below}`}>
                  {renderTasks(row.template.id)}
                </div>
              )
            }
          />
        </AfterHeading>
      </div>
      {props.access.below}
      {deletion.dialog}
      <BulkFailureDialog bulk={bulk} />
    </Page>
  );
}

interface NoneProps extends Props {
  /** Whether the list is of all views, so that an empty one means a project without templates. */
  isWhole: boolean;
}

function NoTemplates({ projectId, isWhole, may, onNew, renderNew }: NoneProps) {
  const mayEdit = may('template.edit');
  const add = mayEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={onNew}>
      {t('template.new')}
    </Button>
  );
  if (!isWhole) {
    return (
      <EmptyState
        icon={<IconPlaylist size={24} />}
        title={t('view.none.title')}
        text={mayEdit ? t('view.none.text') : t('view.none.text_read_only')}
      >
        {add}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconPlaylist size={24} />}
      title={t('template.none.title')}
      text={mayEdit ? t('template.none.text') : t('template.none.text_read_only')}
    >
      {mayEdit && (
        <Suspense>
          <FirstSteps projectId={projectId} may={may} renderNew={renderNew}>
            {add}
          </FirstSteps>
        </Suspense>
      )}
    </EmptyState>
  );
}

function useOpenRows() {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return { open, toggle };
}

interface NewButtonsProps {
  may: May;
  onNew: () => void;
  onNewWorkflow: () => void;
}

/** Makes a template, or a workflow through the menu. */
function NewButtons(props: NewButtonsProps) {
  const { may, onNew, onNewWorkflow } = props;
  const mayTemplate = may('template.edit');
  const mayWorkflow = may('workflow.edit');
  if (!mayTemplate && !mayWorkflow) return null;
  const button = (
    <Button
      leftSection={<IconPlus size={16} />}
      data-shortcut="n"
      onClick={mayTemplate ? onNew : onNewWorkflow}
    >
      {mayTemplate ? t('template.new') : t('workflow.new')}
    </Button>
  );
  if (!mayTemplate || !mayWorkflow) return button;
  return (
    <Button.Group>
      {button}
      <RowMenu
        label={t('template.new_more')}
        button={
          <Button style={{ paddingInline: 8, borderInlineStart: '1px solid var(--on-accent)' }}>
            <IconChevronDown size={16} />
          </Button>
        }
        items={() => choicesOf(props)}
      />
    </Button.Group>
  );
}

const choicesOf = ({ onNew, onNewWorkflow }: NewButtonsProps): RowChoice[] => [
  { label: t('template.new'), icon: <IconPlaylist size={16} />, onClick: onNew },
  { label: t('workflow.new'), icon: <IconSitemap size={16} />, onClick: onNewWorkflow },
];
