import { Link } from '@tanstack/react-router';
import { IconChevronRight } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { useTranslation } from '../../lib/i18n.ts';
import type { Column } from '../../ui/data-table.tsx';
import { RunButton } from './run-button.tsx';
import classes from './template-list.module.css';
import type { ResourceNames } from './use-resource-names.ts';

interface Context {
  mayRun: boolean;
  onRun: (template: Template) => void;
  renderStatus: (task: Task | null) => ReactNode;
  renderTaskLink: (taskId: number) => ReactNode;
  names: ResourceNames;
  open: ReadonlySet<number>;
  toggle: (id: number) => void;
  t: TFunction;
}

export function templateColumns(context: Context): Column<Template>[] {
  const { mayRun, onRun, renderStatus, renderTaskLink, names, open, toggle, t } = context;
  return [
    {
      key: 'name',
      title: t('template.column.name'),
      wide: true,
      cell: (template) => (
        <TemplateName template={template} isOpen={open.has(template.id)} onToggle={toggle} />
      ),
    },
    {
      key: 'status',
      title: t('template.column.status'),
      cell: ({ last_task }) => renderStatus(last_task),
    },
    {
      key: 'last_task',
      title: t('template.column.last_task'),
      from: 'small',
      cell: ({ last_task: last }) =>
        last ? (
          <>
            {renderTaskLink(last.id)}
            {last.user_name && (
              <span className="soft"> {t('template.by', { name: last.user_name })}</span>
            )}
          </>
        ) : (
          '—'
        ),
    },
    {
      key: 'playbook',
      title: t('template.column.playbook'),
      from: 'medium',
      cell: ({ playbook }) => <code title={playbook}>{playbook}</code>,
    },
    {
      key: 'inventory',
      title: t('template.column.inventory'),
      from: 'medium',
      cell: ({ inventory_id: id }) => names.inventory(id),
    },
    {
      key: 'environment',
      title: t('template.column.environment'),
      from: 'large',
      cell: ({ environment_id: id }) => names.environment(id),
    },
    {
      key: 'repository',
      title: t('template.column.repository'),
      from: 'large',
      cell: ({ repository_id: id }) => names.repository(id),
    },
    {
      key: 'actions',
      title: '',
      hiddenTitle: t('common.actions'),
      align: 'end',
      cell: (template) => (
        <RunButton mayRun={mayRun} template={template} onClick={() => onRun(template)} quiet />
      ),
    },
  ];
}

interface NameProps {
  template: Template;
  isOpen: boolean;
  onToggle: (id: number) => void;
}

function TemplateName({ template, isOpen, onToggle }: NameProps) {
  const { t } = useTranslation();
  return (
    <span className={classes.name}>
      <button
        type="button"
        className={classes.expand}
        aria-expanded={isOpen}
        aria-label={t('template.show_last', { name: template.name })}
        onClick={() => onToggle(template.id)}
      >
        <IconChevronRight size={16} />
      </button>
      <span className={classes.words}>
        <Link
          to="/project/$projectId/templates/$templateId"
          params={{ projectId: template.project_id, templateId: template.id }}
          className="cut"
          title={template.name}
        >
          {template.name}
        </Link>
        {template.description && (
          <span className="soft cut" title={template.description}>
            {template.description}
          </span>
        )}
      </span>
    </span>
  );
}
