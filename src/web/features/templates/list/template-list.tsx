import { ActionIcon, Button } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.layer.css';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { IconLayoutNavbar, IconPlaylist, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { errorWords } from '../../../lib/error-words.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { ColumnSettings } from '../../../ui/lists/column-settings.tsx';
import { DeleteDialog } from '../../../ui/dialogs/delete-dialog.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { List, type ListAddress } from '../../../ui/lists/list.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { useColumnChoice } from '../../../ui/lists/use-column-choice.ts';
import { RoleNote } from '../role-note.tsx';
import { FirstSteps } from './first-steps.tsx';
import { templateColumns, type TemplateRowProps } from './template-columns.tsx';
import classes from './template-list.module.css';
import { templateQueries } from '../templates.queries.ts';
import { useDeleteTemplate } from '../use-delete-template.ts';
import { useResourceNames } from '../use-resource-names.ts';

interface Props extends TemplateRowProps {
  projectId: number;
  /** Only the templates of this view. */
  viewId: number | null;
  tabs: ReactNode;
  address: ListAddress;
  onNew: () => void;
  onEditViews: () => void;
  /** The last tasks of a template, which another noun owns. */
  renderTasks: (templateId: number) => ReactNode;
}

const narrow = '(max-width: 591px)';

/** Columns that a table has without being asked. */
const always = ['name', 'status', 'actions'];

export function TemplateList(props: Props) {
  const { projectId, viewId, tabs, address, mayManage, onNew, onEditViews, renderTasks } = props;
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(templateQueries.list(projectId));
  const names = useResourceNames(projectId);
  const { open, toggle } = useOpenRows();
  const choice = useColumnChoice('templates', ['app', 'type', 'version']);
  const { ref: table, width } = useElementSize();
  const isNarrow = useMediaQuery(narrow, false, { getInitialValueInEffect: false });
  const deletion = useDeleteTemplate(projectId);
  const columns = templateColumns({
    ...props,
    names,
    open,
    toggle,
    onDelete: deletion.ask,
    isNarrow,
    t,
  });
  const optional = columns.filter(({ key }) => !always.includes(key));
  const rows = viewId === null ? data : data?.filter(({ view_id: inView }) => inView === viewId);
  return (
    <Page
      title={t('template.list')}
      tabs={tabs}
      actions={
        <>
          {mayManage && (
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t('view.edit')}
              title={t('view.edit')}
              onClick={onEditViews}
            >
              <IconLayoutNavbar size={18} />
            </ActionIcon>
          )}
          <ColumnSettings columns={optional} choice={choice} width={width} />
          {mayManage && (
            <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={onNew}>
              {t('template.new')}
            </Button>
          )}
        </>
      }
    >
      <RoleNote mayRun={props.mayRun} mayManage={mayManage} />
      <div ref={table}>
        <List
          label={t('template.list')}
          rows={rows}
          rowKey={({ id }) => id}
          columns={choice.chosenOf(columns)}
          failure={error && errorWords(error)}
          onRetry={() => void refetch()}
          textOf={({ name, description, playbook }) => `${name} ${description} ${playbook}`}
          address={address}
          empty={<NoTemplates {...props} isWhole={data?.length === 0} />}
          renderBelow={({ id }) =>
            open.has(id) && <div className={classes.below}>{renderTasks(id)}</div>
          }
        />
      </div>
      <DeleteDialog {...deletion.dialog} />
    </Page>
  );
}

interface NoneProps extends Props {
  /** The project has no template at all; else only the view has none. */
  isWhole: boolean;
}

function NoTemplates({ projectId, isWhole, mayManage, onNew }: NoneProps) {
  const { t } = useTranslation();
  const add = mayManage && (
    <Button leftSection={<IconPlus size={16} />} onClick={onNew}>
      {t('template.new')}
    </Button>
  );
  if (!isWhole) {
    return (
      <EmptyState
        icon={<IconPlaylist size={24} />}
        title={t('view.none.title')}
        text={mayManage ? t('view.none.text') : t('view.none.text_read_only')}
      >
        {add}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconPlaylist size={24} />}
      title={t('template.none.title')}
      text={mayManage ? t('template.none.text') : t('template.none.text_read_only')}
    >
      {mayManage && <FirstSteps projectId={projectId}>{add}</FirstSteps>}
    </EmptyState>
  );
}

/** The rows that show their last tasks. */
function useOpenRows() {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return { open, toggle };
}
