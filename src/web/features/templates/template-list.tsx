import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlaylist, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { templateColumns } from './template-columns.tsx';
import classes from './template-list.module.css';
import { templateQueries } from './templates.queries.ts';
import { useResourceNames } from './use-resource-names.ts';

/** From how many rows on a search box is worth its place. */
const searchFrom = 20;

interface Props {
  projectId: number;
  search: string;
  onSearch: (text: string) => void;
  mayRun: boolean;
  mayManage: boolean;
  onRun: (template: Template) => void;
  /** The parts that another noun owns. */
  renderStatus: (task: Task | null) => ReactNode;
  renderTaskLink: (taskId: number) => ReactNode;
  renderTasks: (templateId: number) => ReactNode;
}

export function TemplateList(props: Props) {
  const { t } = useTranslation();
  return (
    <Page title={t('template.list')}>
      <Templates {...props} />
    </Page>
  );
}

function Templates(props: Props) {
  const { projectId, search, onSearch, mayManage, renderTasks } = props;
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(templateQueries.list(projectId));
  const names = useResourceNames(projectId);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  if (error && !data) {
    return <Failure message={errorWords(error)} onRetry={() => void refetch()} />;
  }
  if (data?.length === 0) {
    return (
      <EmptyState
        icon={<IconPlaylist size={24} />}
        title={t('template.none.title')}
        text={mayManage ? t('template.none.text') : t('template.none.text_read_only')}
      />
    );
  }
  const found = data?.filter((template) => matches(template, search));
  return (
    <>
      {data && (data.length > searchFrom || search !== '') && (
        <TextInput
          className={classes.search}
          type="search"
          aria-label={t('template.search')}
          placeholder={t('template.search')}
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      )}
      {found?.length === 0 ? (
        <EmptyState icon={<IconSearch size={24} />} title={t('template.not_found', { search })}>
          <Button variant="default" onClick={() => onSearch('')}>
            {t('template.clear_search')}
          </Button>
        </EmptyState>
      ) : (
        <DataTable
          label={t('template.list')}
          columns={templateColumns({ ...props, names, open, toggle, t })}
          rows={found}
          rowKey={({ id }) => id}
          renderBelow={({ id }) =>
            open.has(id) && <div className={classes.below}>{renderTasks(id)}</div>
          }
        />
      )}
    </>
  );
}

function matches(template: Template, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${template.name} ${template.description} ${template.playbook}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
