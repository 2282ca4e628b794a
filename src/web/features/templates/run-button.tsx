import { useQuery } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { Template } from '#shared/api/templates.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/buttons/action-button.tsx';
import { appProblem, appQueries } from '../apps/apps.queries.ts';

interface Props {
  mayRun: boolean;
  template: Pick<Template, 'name' | 'type' | 'app'>;
  onClick: () => void;
  /** Whether the button is one of many in a list. */
  quiet?: boolean;
}

export function RunButton({ mayRun, template, onClick, quiet = false }: Props) {
  const { name, type, app } = template;
  const { t } = useTranslation();
  const problem = appProblem(useQuery(appQueries.list()).data, app);
  const refused = problem && t(`app.${problem.reason}`, { app: problem.app });
  const verb = type || 'run';
  return (
    <ActionButton
      variant={quiet ? 'default' : 'filled'}
      size={quiet ? 'compact-sm' : 'sm'}
      leftSection={<IconPlayerPlay size={quiet ? 14 : 16} />}
      aria-label={quiet ? t(`template.${verb}_label`, { name }) : t(`task.${verb}`)}
      refused={mayRun ? refused : t('role.read_only')}
      onClick={onClick}
      {...(quiet ? {} : { 'data-shortcut': 'r' })}
    >
      {t(`task.${verb}`)}
    </ActionButton>
  );
}
