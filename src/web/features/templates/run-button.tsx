import { IconPlayerPlay } from '@tabler/icons-react';
import type { App } from '#shared/api/apps.ts';
import type { Template } from '#shared/api/templates.ts';
import { t } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/buttons/action-button.tsx';
import { RowButton } from '../../ui/buttons/row-button.tsx';
import { appProblem } from '../apps/apps.queries.ts';

interface Props {
  mayRun: boolean;
  template: Pick<Template, 'name' | 'type' | 'app'>;
  apps: App[] | undefined;
  onClick: () => void;
}

const verbOf = ({ template }: Props) => template.type || 'run';

function refusalOf({ mayRun, template, apps }: Props): string | null {
  if (!mayRun) return t('role.read_only');
  const problem = appProblem(apps, template.app);
  return problem && t(`app.${problem.reason}`, { app: problem.app });
}

export function RunButton(props: Props) {
  const words = t(`task.${verbOf(props)}`);
  return (
    <ActionButton
      leftSection={<IconPlayerPlay size={16} />}
      aria-label={words}
      refused={refusalOf(props)}
      onClick={props.onClick}
      data-shortcut="r"
    >
      {words}
    </ActionButton>
  );
}

export function RunRowButton(props: Props) {
  return (
    <RowButton
      label={t(`template.${verbOf(props)}_label`, { name: props.template.name })}
      icon={<IconPlayerPlay size={14} />}
      refused={refusalOf(props)}
      onClick={props.onClick}
    >
      {t(`task.${verbOf(props)}`)}
    </RowButton>
  );
}
