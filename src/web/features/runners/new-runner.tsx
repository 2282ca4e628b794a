import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';

const NewRunnerDialog = lazyExport(() => import('./new-runner-dialog.tsx'), 'NewRunnerDialog');

interface Props {
  /** Null for all projects. */
  projectId: number | null;
}

export function NewRunner({ projectId }: Props) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Button
        leftSection={<IconPlus size={16} />}
        data-shortcut="n"
        onClick={() => setAdding(true)}
      >
        {t('runner.new')}
      </Button>
      <OnceOpened opened={isAdding}>
        <NewRunnerDialog projectId={projectId} opened={isAdding} onClose={() => setAdding(false)} />
      </OnceOpened>
    </>
  );
}
