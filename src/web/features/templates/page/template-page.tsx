import { useMutation, useQuery } from '@tanstack/react-query';
import { IconCopy, IconPencil, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { kindOf } from '#shared/apps.ts';
import { t } from '../../../lib/i18n.ts';
import { HeadButton } from '../../../ui/buttons/head-button.tsx';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { appQueries } from '../../apps/apps.queries.ts';
import {
  overviewQueries,
  pinTemplate,
  unpinTemplate,
} from '../../tasks/overview/overview.queries.ts';
import { ListLinks } from '../list-links.tsx';
import { RoleNote } from '../role-note.tsx';
import { RunButton } from '../run-button.tsx';
import { RunSummary } from './run-summary.tsx';
import { templateQueries } from '../templates.queries.ts';
import { useDeleteTemplate } from '../use-delete-template.tsx';
import { DeployedVersions } from './deployed-versions.tsx';
import { TemplateFacts } from './template-facts.tsx';
import { QueryPage } from '../../../resources/query-page.tsx';
import type { May } from '../../../lib/roles/may.ts';

interface Props {
  projectId: number;
  templateId: number;
  /** The view from which the page was opened. */
  viewId: number | null;
  listAddress: (viewId: number | null) => string;
  may: May;
  /** Whether the user may make a template of a copy. */
  mayCopy: boolean;
  onRun: () => void;
  onEdit: () => void;
  onCopy: () => void;
  onDeleted: () => void;
  /** Leads to who may do what with the template; null for users who give no access. */
  access: ReactNode;
  /** The button for the Terraform states. */
  states: ReactNode;
  children: ReactNode;
}

export function TemplatePage(props: Props) {
  const { projectId, templateId, may, onDeleted, children } = props;
  const result = useQuery(templateQueries.one(projectId, templateId));
  const { data } = result;
  const { data: apps } = useQuery(appQueries.list());
  const deletion = useDeleteTemplate(projectId, onDeleted);
  return (
    <QueryPage
      title={data?.name ?? t('template.one')}
      above={<ListLinks {...props} />}
      result={result}
      actions={
        data && (
          <>
            <PinButton projectId={projectId} templateId={templateId} />
            {may('state.manage') && kindOf(data.app) === 'terraform' && props.states}
            {props.access}
            <Changes {...props} onDelete={() => deletion.ask(data)} />
            <RunButton may={may} template={data} apps={apps} onClick={props.onRun} />
          </>
        )
      }
    >
      <RoleNote may={may} />
      {data?.description && (
        <p className="soft break pb-12" style={{ maxWidth: 760, whiteSpace: 'pre-line' }}>
          {data.description}
        </p>
      )}
      <TemplateFacts projectId={projectId} templateId={templateId} template={data} />
      {data && <RunSummary template={data} />}
      {data?.type === 'build' && (
        <DeployedVersions projectId={projectId} buildTemplateId={templateId} />
      )}
      <h2 className="text-15 weight-620" style={{ padding: '24px 0 4px' }}>
        {t('task.history')}
      </h2>
      {children}
      {deletion.dialog}
    </QueryPage>
  );
}

function Changes({ may, mayCopy, onEdit, onCopy, onDelete }: Props & { onDelete: () => void }) {
  const mayEdit = may('template.edit');
  return (
    <>
      {mayEdit && (
        <HeadButton
          label={t('template.edit')}
          text={t('common.edit')}
          icon={<IconPencil size={16} />}
          onClick={onEdit}
        />
      )}
      {mayCopy && (
        <HeadButton
          label={t('template.copy')}
          text={t('template.copy_verb')}
          icon={<IconCopy size={16} />}
          onClick={onCopy}
        />
      )}
      {mayEdit && (
        <HeadButton
          label={t('template.delete')}
          text={t('common.delete')}
          icon={<IconTrash size={16} />}
          onClick={onDelete}
        />
      )}
    </>
  );
}

function PinButton({ projectId, templateId }: { projectId: number; templateId: number }) {
  const { data: pins } = useQuery(overviewQueries.pins());
  const isPinned = pins?.some((pin) => pin.template_id === templateId) ?? false;
  const { mutate } = useMutation({
    ...(isPinned ? unpinTemplate() : pinTemplate()),
    onError: toastFailure,
  });
  return (
    <IconButton
      label={isPinned ? t('overview.unpin') : t('overview.pin')}
      icon={isPinned ? <IconPinnedOff size={18} /> : <IconPin size={18} />}
      onClick={() => mutate({ params: { project_id: projectId, template_id: templateId } })}
    />
  );
}
