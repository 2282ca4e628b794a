import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import classes from './stats.module.css';

const storedAs = 'figures';
const FEW_ENTRIES = 2;
const MAX_ENTRIES = 5;

/**
 * Cards with the first entries of rankings, so that the list below stays near. A button shows the
 * others; the browser stores the choice.
 */
export function Rankings({ render }: { render: (limit: number) => ReactNode }) {
  const [opened, setOpened] = useState(() => localStorage.getItem(storedAs) === 'open');
  const toggle = () => {
    localStorage.setItem(storedAs, opened ? '' : 'open');
    setOpened(!opened);
  };
  return (
    <div className="row gap-4" style={{ marginTop: 6 }}>
      <div className={`grid gap-8 grow min-w-0 ${classes.rankings}`}>
        {render(opened ? MAX_ENTRIES : FEW_ENTRIES)}
      </div>
      <IconButton
        label={opened ? t('stats.fewer_entries') : t('stats.more_entries')}
        icon={opened ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
        onClick={toggle}
      />
    </div>
  );
}
