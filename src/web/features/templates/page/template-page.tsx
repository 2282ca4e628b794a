import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { errorWords } from '../../../lib/error-words.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { DeleteDialog } from '../../../ui/dialogs/delete-dialog.tsx';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { viewQueries } from '../../views/views.queries.ts';
import { RoleNote } from '../role-note.tsx';
import { RunButton } from '../run-button.tsx';
import { TemplateFacts } from './template-facts.tsx';
import classes from './template-page.module.css';
import { templateQueries } from '../templates.queries.ts';
import { useDeleteTemplate } from '../use-delete-template.ts';

interface Props {
  projectId: number;
  templateId: number;
  /** The view from which the page was opened. */
  viewId: number | null;
  listAddress: (viewId: number | null) => string;
  mayRun: boolean;
  mayManage: boolean;
  onRun: () => void;
  onEdit: () => void;
  onCopy: () => void;
  onDeleted: () => void;
  /** The tasks of the template. */
  children: ReactNode;
}

export function TemplatePage(props: Props) {
  const { projectId, templateId, mayManage, onDeleted, children } = props;
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(templateQueries.one(projectId, templateId));
  const deletion = useDeleteTemplate(projectId, onDeleted);
  const above = <Breadcrumb {...props} />;
  if (error && !data) {
    return (
      <Page title={t('template.one')} above={above}>
        <Failure message={errorWords(error)} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={data?.name ?? t('template.one')}
      above={above}
      actions={
        data && (
          <>
            {mayManage && <Changes {...props} onDelete={() => deletion.ask(data)} />}
            <RunButton mayRun={props.mayRun} template={data} onClick={props.onRun} />
          </>
        )
      }
    >
      <RoleNote mayRun={props.mayRun} mayManage={mayManage} />
      {data?.description && <p className={`soft break ${classes.text}`}>{data.description}</p>}
      <TemplateFacts projectId={projectId} templateId={templateId} template={data} />
      <h2 className={classes.heading}>{t('task.history')}</h2>
      {children}
      <DeleteDialog {...deletion.dialog} />
    </Page>
  );
}

function Breadcrumb({ projectId, viewId, listAddress }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(viewQueries.list(projectId));
  const view = data?.find(({ id }) => id === viewId);
  return (
    <nav aria-label={t('common.breadcrumb')}>
      <Link to={listAddress(null)}>{t('template.list')}</Link>
      {view && (
        <>
          <span className="soft" aria-hidden="true">
            {' › '}
          </span>
          <Link to={listAddress(view.id)}>{view.title}</Link>
        </>
      )}
    </nav>
  );
}

function Changes({ onEdit, onCopy, onDelete }: Props & { onDelete: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <IconButton
        label={t('template.edit')}
        hint={t('common.edit')}
        icon={<IconPencil size={18} />}
        onClick={onEdit}
      />
      <IconButton
        label={t('template.copy')}
        hint={t('template.copy_verb')}
        icon={<IconCopy size={18} />}
        onClick={onCopy}
      />
      <IconButton
        label={t('template.delete')}
        hint={t('common.delete')}
        icon={<IconTrash size={18} />}
        onClick={onDelete}
      />
    </>
  );
}
