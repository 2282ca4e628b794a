import { IconStack2 } from '@tabler/icons-react';
import { useState } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { HeadButton } from '../../ui/buttons/head-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';

const StatesDialog = lazyExport(() => import('./states-dialog.tsx'), 'StatesDialog');

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
