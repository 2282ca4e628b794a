import { IconPlayerPlay } from '@tabler/icons-react';
import type { App } from '#shared/api/apps.ts';
import type { Template } from '#shared/api/templates.ts';
import { t } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/buttons/action-button.tsx';
import { RowButton } from '../../ui/buttons/row-button.tsx';
import { appProblem } from '../apps/apps.queries.ts';
import { type May, refusalOf } from '../../lib/roles/may.ts';

interface Props {
  may: May;
  template: Pick<Template, 'name' | 'type' | 'app'>;
  apps: App[] | undefined;
  onClick: () => void;
}

const verbOf = ({ template }: Props) => template.type || 'run';

function whyNot({ may, template, apps }: Props): string | null {
  const refused = refusalOf(may, 'template.run');
  if (refused !== null) return refused;
  const problem = appProblem(apps, template.app);
  return problem && t(`app.${problem.reason}`, { app: problem.app });
}

export function RunButton(props: Props) {
  const words = t(`task.${verbOf(props)}`);
  return (
    <ActionButton
      leftSection={<IconPlayerPlay size={16} />}
      aria-label={words}
      refused={whyNot(props)}
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
      refused={whyNot(props)}
      onClick={props.onClick}
    >
      {t(`task.${verbOf(props)}`)}
    </RowButton>
  );
}
