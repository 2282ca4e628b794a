import { useMutation } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { Workflow } from '#shared/api/workflows.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/buttons/action-button.tsx';
import { toastError } from '../../ui/feedback/toast.ts';
import { launchWorkflow } from './workflows.queries.ts';

interface Props {
  workflow: Pick<Workflow, 'id' | 'project_id' | 'name'>;
  mayRun: boolean;
  onLaunched: (runId: number) => void;
  /** Whether the button is one of many in a list. */
  quiet?: boolean;
}

export function LaunchButton({ workflow, mayRun, onLaunched, quiet = false }: Props) {
  const { t } = useTranslation();
  const { id, project_id: projectId, name } = workflow;
  const launch = useMutation({
    ...launchWorkflow(),
    onSuccess: (run) => onLaunched(run.id),
    onError: (error) => toastError(errorWords(error)),
  });
  return (
    <ActionButton
      variant={quiet ? 'default' : 'filled'}
      size={quiet ? 'compact-sm' : 'sm'}
      leftSection={<IconPlayerPlay size={quiet ? 14 : 16} />}
      refused={mayRun ? null : t('role.read_only')}
      loading={launch.isPending}
      onClick={() =>
        launch.mutate({ params: { project_id: projectId, workflow_id: id }, body: { message: '' } })
      }
      aria-label={quiet ? t('workflow.launch_label', { name }) : t('workflow.launch')}
      {...(quiet ? {} : { 'data-shortcut': 'r' })}
    >
      {t('workflow.launch')}
    </ActionButton>
  );
}
