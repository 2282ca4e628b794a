import { IconStack2 } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { HeadButton } from '../../ui/buttons/head-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';

const StatesDialog = lazy(async () => {
  const { StatesDialog: component } = await import('./states-dialog.tsx');
  return { default: component };
});

export function StatesButton(props: { projectId: number; templateId: number }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <HeadButton
        label={t('kept_state.title')}
        icon={<IconStack2 size={16} />}
        onClick={() => setOpened(true)}
      />
      <OnceOpened opened={opened}>
        <StatesDialog {...props} opened={opened} onClose={() => setOpened(false)} />
      </OnceOpened>
    </>
  );
}
