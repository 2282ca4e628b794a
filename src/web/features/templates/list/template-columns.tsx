import { Link } from '@tanstack/react-router';
import { IconChevronRight, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Task } from '#shared/api/tasks.ts';
import type { App } from '#shared/api/apps.ts';
import type { Template } from '#shared/api/templates.ts';
import { t } from '../../../lib/i18n.ts';
import { TimeAgo } from '../../../lib/time-text.tsx';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { RowActions } from '../../../ui/lists/row-actions.tsx';
import { RowMenu } from '../../../ui/buttons/row-menu.tsx';
import {
  actionsColumn,
  column,
  roomForStatuses,
  sortedColumn,
} from '../../../resources/columns.ts';
import { roomForCharacters } from '../../../ui/lists/column-room.ts';
import { urgencyOf } from '../../../resources/urgency.ts';
import { AppName } from '../app-name.tsx';
import { RunStrip } from '../run-strip.tsx';
import { RunRowButton } from '../run-button.tsx';
import type { ResourceNames } from '../use-resource-names.ts';
import classes from './template-list.module.css';
import type { RowChoice } from '../../../ui/buttons/row-choices.tsx';
import { type May, mayOn } from '../../../lib/roles/may.ts';

export interface TemplateRowProps {
  addressOf: (id: number) => string;
  may: May;
  onRun: (template: Template) => void;
  onEdit: (id: number) => void;
  onCopy: (id: number) => void;
  /** The parts that other features own. */
  renderStatus: (task: Task | null) => ReactNode;
  renderTaskLink: (taskId: number) => ReactNode;
  /** A mark beside the name of a template. */
  renderMark: (templateId: number) => ReactNode;
}

interface Context extends TemplateRowProps {
  names: ResourceNames;
  apps: App[] | undefined;
  open: ReadonlySet<number>;
  toggle: (id: number) => void;
  onDelete: (template: Template) => void;
  /** Whether the status is below the name, because its column does not fit. */
  isNarrow: boolean;
}

export function templateColumns(context: Context): Column<Template>[] {
  const { renderStatus, apps, open, toggle, addressOf, isNarrow } = context;
  const status: Column<Template> = column(
    'status',
    t('template.column.status'),
    { room: roomForStatuses(), sortBy: ({ last_task: last }) => urgencyOf(last?.status) },
    ({ last_task }) => renderStatus(last_task),
  );
  return [
    column(
      'name',
      t('template.column.name'),
      { wide: true, keepsRoom: true, sortBy: ({ name }) => name },
      (template) => (
        <TemplateName
          template={template}
          address={addressOf(template.id)}
          mark={context.renderMark(template.id)}
          isOpen={open.has(template.id)}
          onToggle={toggle}
          isNarrow={isNarrow}
          status={renderStatus(template.last_task)}
        />
      ),
    ),
    ...(isNarrow ? [] : [status]),
    column('runs', t('template.last_runs'), { from: 'medium' }, (template) => (
      <span className={classes.strip}>
        <RunStrip template={template} />
      </span>
    )),
    lastTaskColumn(context),
    column(
      'version',
      t('task.column.version'),
      {
        from: 'small',
        room: roomForCharacters(8),
        sortBy: ({ last_task: last }) => versionOf(last),
      },
      ({ last_task: last }) => versionOf(last) || '—',
    ),
    sortedColumn(
      'type',
      t('template.form.type'),
      { from: 'medium', room: roomForTypes() },
      ({ type }) => t(`template.type.${type || 'task'}`),
    ),
    column(
      'app',
      t('template.app'),
      { from: 'medium', room: roomForCharacters(12), sortBy: ({ app }) => app },
      ({ app }) => <AppName id={app} apps={apps} />,
    ),
    ...resourceColumns(context),
    {
      ...actionsColumn<Template>((template) => (
        <TemplateActions {...context} template={template} />
      )),
      room: roomForVerbs(context.may('template.edit', 'somewhere')),
    },
  ];
}

const roomForTypes = () => [
  ...(['task', 'build', 'deploy'] as const).map((type) => t(`template.type.${type}`)),
  t('workflow.one'),
];

/** Room for the icon and the padding of each button, and for the menu beside them. */
const roomForVerbs = (hasMenu: boolean) =>
  (['run', 'build', 'deploy'] as const).map(
    (verb) => `\u2003\u2003\u2003${t(`task.${verb}`)}${hasMenu ? '\u2003\u2003' : ''}`,
  );

const versionOf = (task: Task | null): string => task?.version ?? task?.build_task?.version ?? '';

function lastTaskColumn({ renderTaskLink }: Context): Column<Template> {
  return {
    key: 'last_task',
    title: t('template.column.last_task'),
    from: 'medium',
    room: roomForCharacters(22),
    // Sorted by time, because ids of tasks and of workflow runs are not comparable.
    sortBy: ({ last_task: last }) => last?.created ?? '',
    isNewestFirst: true,
    cell: ({ last_task: last }) =>
      last ? (
        <>
          {renderTaskLink(last.id)} <TimeAgo time={last.end ?? last.start ?? last.created} />
          <LastStarter task={last} />
        </>
      ) : (
        '—'
      ),
  };
}

function LastStarter({ task }: { task: Task }) {
  const name = task.launcher?.name ?? task.user_name;
  return name === null ? null : <span className="soft"> {t('template.by', { name })}</span>;
}

const pathOf = ({ working_directory: folder, playbook }: Template): string =>
  folder ? `${folder}/${playbook}` : playbook;

/** The narrowest tables that show the names of resources by default. */
export const narrowest = {
  inventory: 'huge',
  environment: 'huge',
  execution_environment: 'huge',
  repository: 'huge',
} as const;

const resourceKinds = ['inventory', 'environment', 'execution_environment', 'repository'] as const;

function resourceColumns({ names }: Context): Column<Template>[] {
  return [
    column(
      'playbook',
      t('template.column.playbook'),
      { from: 'large', room: roomForCharacters(14), sortBy: pathOf },
      (template) =>
        template.playbook ? (
          <code
            className="block overflow-hidden"
            // A long path is cut at its beginning, because the name of the file matters more.
            style={{ direction: 'rtl', textAlign: 'left', textOverflow: 'ellipsis' }}
            title={pathOf(template)}
          >
            <bdi>{pathOf(template)}</bdi>
          </code>
        ) : (
          '—'
        ),
    ),
    ...resourceKinds.map((kind): Column<Template> => {
      const nameOf = (template: Template) => names[kind](template[`${kind}_id`]);
      return {
        key: kind,
        title: t(`template.column.${kind}`),
        room: roomForCharacters(12),
        from: narrowest[kind],
        sortBy: nameOf,
        titleOf: nameOf,
        cell: nameOf,
      };
    }),
  ];
}

function choicesOf(template: Template, context: Context): RowChoice[] {
  const { may, onEdit, onCopy, onDelete } = context;
  const { id } = template;
  const copy = {
    label: t('template.copy_verb'),
    icon: <IconCopy size={16} />,
    onClick: () => onCopy(id),
  };
  const copies = may('template.edit') ? [copy] : [];
  if (!may('template.edit', { type: 'template', id })) return copies;
  return [
    { label: t('common.edit'), icon: <IconPencil size={16} />, onClick: () => onEdit(id) },
    ...copies,
    {
      label: t('common.delete'),
      icon: <IconTrash size={16} />,
      onClick: () => onDelete(template),
      isDangerous: true,
    },
  ];
}

function TemplateActions({ template, ...context }: Context & { template: Template }) {
  const { apps, may, onRun } = context;
  const choices = choicesOf(template, context);
  return (
    <RowActions>
      <RunRowButton
        may={mayOn(may, 'template', template.id)}
        template={template}
        apps={apps}
        onClick={() => onRun(template)}
      />
      {choices.length > 0 && (
        <RowMenu label={t('template.more_label', { name: template.name })} items={() => choices} />
      )}
    </RowActions>
  );
}

interface NameProps {
  template: Template;
  address: string;
  mark: ReactNode;
  isOpen: boolean;
  onToggle: (id: number) => void;
  /** The status is below the name, in place of the description. */
  isNarrow: boolean;
  status: ReactNode;
}

function TemplateName({ template, address, mark, isOpen, onToggle, isNarrow, status }: NameProps) {
  return (
    <span className="row gap-8 min-w-0">
      <button
        type="button"
        className="inline-flex center flex-none soft rounded-6 hover turn-open"
        style={{ width: 26, height: 26 }}
        aria-expanded={isOpen}
        aria-label={t('template.show_last', { name: template.name })}
        onClick={() => onToggle(template.id)}
      >
        <IconChevronRight size={16} />
      </button>
      <span className={`min-w-0 ${isNarrow ? 'column gap-2' : 'flex baseline gap-10'}`}>
        <Link to={address} className="weight-550 color-text cut" title={template.name}>
          {template.name}
        </Link>
        {mark}
        {isNarrow ? (
          <span className="smaller">{status}</span>
        ) : template.description === '' ? null : (
          // The description takes the remaining width.
          <span className="smaller soft cut" style={{ flex: '1 1 0' }} title={template.description}>
            {template.description}
          </span>
        )}
      </span>
    </span>
  );
}
