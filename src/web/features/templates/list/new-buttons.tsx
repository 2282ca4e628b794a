import { Button } from '@mantine/core';
import { IconChevronDown, IconPlaylist, IconPlus, IconSitemap } from '@tabler/icons-react';
import { t } from '../../../lib/i18n.ts';
import type { RowChoice } from '../../../ui/buttons/row-choices.tsx';
import { RowMenu } from '../../../ui/buttons/row-menu.tsx';

interface Props {
  onNew: () => void;
  onNewWorkflow: () => void;
}

/** Makes a template, or a workflow through the menu. */
export function NewButtons(props: Props) {
  return (
    <Button.Group>
      <Button leftSection={<IconPlus size={16} />} data-shortcut="n" onClick={props.onNew}>
        {t('template.new')}
      </Button>
      <RowMenu
        label={t('template.new_more')}
        button={
          <Button style={{ paddingInline: 8, borderInlineStart: '1px solid var(--on-accent)' }}>
            <IconChevronDown size={16} />
          </Button>
        }
        items={() => choicesOf(props)}
      />
    </Button.Group>
  );
}

const choicesOf = ({ onNew, onNewWorkflow }: Props): RowChoice[] => [
  { label: t('template.new'), icon: <IconPlaylist size={16} />, onClick: onNew },
  { label: t('workflow.new'), icon: <IconSitemap size={16} />, onClick: onNewWorkflow },
];
