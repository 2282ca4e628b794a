import { IconColumns3 } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { HeadButton } from '../buttons/head-button.tsx';
import { MenuButton } from '../buttons/menu-button.tsx';
import { lazyExport } from '../lazy-export.ts';
import type { ColumnChoicesProps } from './column-choices.tsx';

const ColumnChoices = lazyExport(() => import('./column-choices.tsx'), 'ColumnChoices');

/** The menu that shows and hides the columns of a table. */
export function ColumnSettings(props: Omit<ColumnChoicesProps, 'button'>) {
  const button = <HeadButton label={t('list.columns')} icon={<IconColumns3 size={18} />} />;
  return (
    <MenuButton button={button}>
      <ColumnChoices button={button} {...props} />
    </MenuButton>
  );
}
