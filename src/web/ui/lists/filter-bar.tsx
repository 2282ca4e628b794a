import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import classes from './filter-bar.module.css';
import { IconButton } from '../buttons/icon-button.tsx';

interface Props {
  label: string;
  isFiltered: boolean;
  onClear: () => void;
  children: ReactNode;
}

/** The filters above a list; the first one is wider than the others. */
export function FilterBar({ label, isFiltered, onClear, children }: Props) {
  return (
    <search className={`row wrap gap-8 ${classes.bar}`} aria-label={label}>
      {children}
      <span className={classes.clear} data-idle={isFiltered ? undefined : true}>
        <IconButton
          label={t('filter.clear')}
          icon={<IconFilterOff size={16} />}
          onClick={onClear}
        />
      </span>
    </search>
  );
}
