import { IconTags } from '@tabler/icons-react';
import { useState } from 'react';
import type { Runner } from '#shared/api/runners.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';

const TagsDialog = lazyExport(() => import('./tags-dialog.tsx'), 'TagsDialog');

export function TagsEdit({ runner }: { runner: Runner }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <IconButton
        label={t('runner.edit_tags_label', { name: runner.name })}
        hint={t('runner.edit_tags')}
        icon={<IconTags size={16} />}
        onClick={() => setOpened(true)}
      />
      <OnceOpened opened={opened}>
        <TagsDialog opened={opened} onClose={() => setOpened(false)} runner={runner} />
      </OnceOpened>
    </>
  );
}
