import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { MenuButton } from '../../ui/buttons/menu-button.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import type { ExportedEvents } from './export-choices.tsx';

const ExportChoices = lazyExport(() => import('./export-choices.tsx'), 'ExportChoices');

export function ExportMenu(exported: ExportedEvents) {
  const button = (
    <Button variant="default" leftSection={<IconDownload size={16} />}>
      {t('activity.export')}
    </Button>
  );
  return (
    <MenuButton button={button}>
      <ExportChoices button={button} {...exported} />
    </MenuButton>
  );
}
