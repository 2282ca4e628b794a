import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import classes from './filter-bar.module.css';

interface Props {
  label: string;
  /** Something is filtered. */
  isFiltered: boolean;
  onClear: () => void;
  children: ReactNode;
}

/** What narrows a list; the first child has twice the room of the others. */
export function FilterBar({ label, isFiltered, onClear, children }: Props) {
  const { t } = useTranslation();
  return (
    <search className={classes.bar} aria-label={label}>
      {children}
      {isFiltered && (
        <span className={classes.clear}>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconX size={14} />}
            onClick={onClear}
          >
            {t('filter.clear')}
          </Button>
        </span>
      )}
    </search>
  );
}
